"""duramen inside the pipelines that people have: Scrapy, datatrove.

Each is a module of its own, which imports the other library at its top; where that is missing, the error names the
extra.
"""
