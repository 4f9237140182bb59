"""Knowing the site: what other pages of a site tell about the blocks of a page.

    page ── sketch (hashes, no text) ── SiteModel: a sample of pages of one template
                                            │ evidence: log-odds for each block
                           page ── auto ────┴──── Content

`SiteModel` is for pages of one template; `SiteModels` groups the pages of a crawl by host and template.
"""

from __future__ import annotations

from duramen.site_model.evidence import BlockEvidence, Evidence
from duramen.site_model.model import SiteModel
from duramen.site_model.sites import SiteModels

__all__ = ["BlockEvidence", "Evidence", "SiteModel", "SiteModels"]
