"""duramen inside the pipelines that people have: Scrapy, datatrove.

Each is a module of its own, which imports the other library at its top: whoever names it has that installed.
"""
