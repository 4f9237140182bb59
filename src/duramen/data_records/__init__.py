"""Data records: find the main list of a page, split it into records, and read them into a table.

Four stages, each in its own modules:

1. Find the region: `subtrees`, `regions`, `completion`.
2. Split it into records: `record_segmentation`, `refinement`.
3. Align the values of all records into columns: `alignment`, `labels`, `grid`, `values`.
4. Name and address the columns: `fitting`, `naming`, `selectors`, `columns`.

The result is a `table.Table`; `export` writes it, `records_wrapper` applies its selectors to other pages of the site.

The tuning constants of all these modules were set on the development sites of records-yamada-dev, records-zhao1-dev
and records-modern-dev, and on forums-dev (docs/scores-records.md).
"""
