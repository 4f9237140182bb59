"""duramen inside other pipelines: Scrapy, datatrove.

Each module imports the other library at its top. If that is missing, the error names the extra to install.
"""
