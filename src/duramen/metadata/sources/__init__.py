"""Sources of metadata, one module each. A source reads the page and makes claims about its fields.

    meta           <meta> elements: Open Graph, Dublin Core, Twitter, citation_*, plain names; <title>
    json_ld        JSON-LD scripts (json_repair reads broken JSON)
    links          <link> elements, rel=tag and rel=license, links to the page itself, breadcrumbs
    url            the page's own URL
    microdata      itemprop and RDFa properties of the body
    microformats   hAtom, h-entry, class names, rel=author, <address>, portraits
    body_markup    items and entries of the body that describe the page as a whole
    bylines        lines of visible text near the headline, and <time> elements
    scripts        JSON data inside ordinary scripts

`body` finds the parts of the body that belong to the page itself. `collection` puts all sources together.
"""
