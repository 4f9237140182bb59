"""`Metadata`: the fields of a page, each read on first use.

The head is read first: `<meta>`, `<link>`, `<title>`, JSON-LD and the headings. The body, with its microdata, classes,
`<time>` elements and bylines, is read for authors and dates only if the head leaves a doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, TypeVar
from xml.etree.ElementTree import Element

from duramen.dom.cached import cached_property
from duramen.dom.dates import Moment, as_date
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.metadata import other_fields, serialize, shortcuts
from duramen.metadata.authors import Authors, author_candidates, is_declared_author, names_site
from duramen.metadata.dates import date_candidates, find_modified, is_ambiguous_in_head, is_declared_publication
from duramen.metadata.images import Image, find_images
from duramen.metadata.model import HEAD_SOURCES, Candidate, FieldValue
from duramen.metadata.scoring import choose, combine_sources, to_field_value
from duramen.metadata.sources.collection import TITLE_ELEMENT, Sources
from duramen.metadata.sources.url import URL
from duramen.metadata.title import title_candidates
from duramen.metadata.weights import AUTHOR, DATE, TITLE

T = TypeVar("T")

FIELDS: Final = tuple(
    "title authors published modified site language description tags categories canonical license image"
    " page_type images".split()
)
"""The names that `Metadata.evidence` knows."""

MIN_AUTHOR_CONFIDENCE: Final = 0.31
"""Below this no author is given: on pages without a named author, half of the answers would be wrong."""
MIN_DATE_CONFIDENCE: Final = 0.02
"""A date needs less confidence than an author: most dates that a page shows anywhere are right."""
_HEAD_AUTHOR_CONFIDENCE: Final = 0.5
_HEAD_DATE_CONFIDENCE: Final = 0.75
"""With this confidence in the head, the body is not read: that would change one answer in a hundred."""
_DATED_CONFIDENCE: Final = 0.5
"""With this confidence in its date, the page counts as dated when its authors are scored."""
_MAX_SHOWN_CHARS: Final = 200
"""Characters of a value that `_repr_html_` shows."""


@dataclass(frozen=True, eq=False, repr=False)
class Metadata:
    """The fields of a page. A field that the page does not give is None or empty.

    `evidence(name)` returns the value of a field with its source and confidence.
    """

    sources: Sources
    field_nodes: Mapping[str, int] = field(default_factory=dict)
    """The elements that a wrapper knows to show `authors`, `published`, `modified`, `tags` or `categories`."""

    @classmethod
    def read(cls, page: Page, today: date | None = None, field_nodes: Mapping[str, int] | None = None) -> Metadata:
        """Read the metadata of a page.

        No date is later than `today`; the default is the current day. `field_nodes` are the elements that are known to
        show the authors, a date, the tags or the categories. The same page and `today` give the same result.
        """
        return cls(Sources(page, today), field_nodes or {})

    def __reduce__(self) -> tuple[Callable[..., Metadata], tuple[Page, date, Mapping[str, int]]]:
        """Copy and pickle the page, not what was read from it."""
        return Metadata.read, (self.sources.page, self.sources.today, self.field_nodes)

    def __repr__(self) -> str:
        known = {
            "title": self.title,
            "authors": [author.name for author in self.authors],
            "published": _to_iso(self.published),
            "site": self.site,
            "language": self.language,
        }
        return f"Metadata({', '.join(f'{name}={value!r}' for name, value in known.items() if value)})"

    def _repr_html_(self) -> str:
        """Return a table of the known fields for notebooks."""
        plain = serialize.to_plain_fields(self.as_dict())
        rows = []
        for name in FIELDS:
            value = self.evidence(name)
            if value and name != "images":
                text = serialize.to_lines({name: plain[name]}).removeprefix(f"{name}: ").rstrip()
                rows.append((name, text[:_MAX_SHOWN_CHARS], value.source, f"{value.confidence:.2f}"))
        return serialize.to_html_table(rows)

    def evidence(self, name: str) -> FieldValue[Any] | None:
        """Return the value of a field with its source and confidence; None if the page does not give it."""
        if name not in FIELDS:
            raise UsageError(f"metadata has no field {name!r}: use one of {', '.join(FIELDS)}")
        value: FieldValue[Any] | None = getattr(self, f"_{name}")
        return value

    def list_candidates(self, name: str) -> list[Candidate[Any]]:
        """Return the candidates for `authors` or `published` that the whole page gives, for an explanation."""
        return [*(self._author_candidates(body=True) if name == "authors" else self._date_candidates(body=True))]

    @property
    def title(self) -> str | None:
        """The title of the page, without the name of the site."""
        return _value(self._title)

    @property
    def authors(self) -> Authors:
        """The people or organizations that wrote the page."""
        return _value(self._authors) or ()

    @property
    def published(self) -> Moment | None:
        """When the page was published: an aware datetime if the page gives a time with its zone, else a date.

        If a page gives only the date of its last change, it is that date, with less confidence.
        """
        return _value(self._published)

    @property
    def modified(self) -> Moment | None:
        """When the page was last changed, not before it was published."""
        return _value(self._modified)

    @property
    def site(self) -> str | None:
        """The name of the site."""
        return _value(self._site)

    @property
    def language(self) -> str | None:
        """The language that the page declares, as a language tag: `en`, `pt-BR`."""
        return _value(self._language)

    @property
    def description(self) -> str | None:
        """The description that the page gives of itself."""
        return _value(self._description)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags or keywords."""
        return _value(self._tags) or ()

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories or sections."""
        return _value(self._categories) or ()

    @property
    def canonical(self) -> str | None:
        """The URL that the page declares as its own."""
        return _value(self._canonical)

    @property
    def license(self) -> str | None:
        """The license, usually its URL."""
        return _value(self._license)

    @property
    def image(self) -> str | None:
        """The URL of the lead image."""
        return _value(self._image)

    @property
    def page_type(self) -> str | None:
        """The type of page that the page declares: `article`, `forum`, `product`, `website`, …"""
        return _value(self._page_type)

    @property
    def images(self) -> tuple[Image, ...]:
        """The images of the page's own parts, with their captions."""
        return _value(self._images) or ()

    @property
    def url(self) -> str | None:
        """The URL where the page was found, else the URL that it declares."""
        return self.sources.page.url or self.canonical

    def as_dict(self) -> dict[str, object]:
        """Return all fields, ready for JSON: dates in ISO 8601; `sources` has the source of each field."""
        return {
            "title": self.title,
            "authors": [author.as_dict() for author in self.authors],
            "published": _to_iso(self.published),
            "modified": _to_iso(self.modified),
            "site": self.site,
            "language": self.language,
            "description": self.description,
            "tags": list(self.tags),
            "categories": list(self.categories),
            "url": self.url,
            "canonical": self.canonical,
            "license": self.license,
            "image": self.image,
            "page_type": self.page_type,
            "images": [image.as_dict() for image in self.images],
            "sources": self.sources_of_fields(),
        }

    def sources_of_fields(self) -> dict[str, dict[str, object]]:
        """Return the source and confidence of each known field, ready for JSON."""
        values = {name: value for name in FIELDS if (value := self.evidence(name))}
        return {
            name: {"source": value.source, "confidence": round(value.confidence, 3)} for name, value in values.items()
        }

    @property
    def front_matter(self) -> str:
        """The fields in YAML between two lines of `---`, for the beginning of a Markdown file."""
        return serialize.to_front_matter(serialize.to_plain_fields(self.as_dict()))

    @property
    def xml(self) -> Element:
        """All fields as an XML element, `metadata`."""
        return serialize.to_xml(self.as_dict())

    # Fields that are scored

    @cached_property
    def _title(self) -> FieldValue[str] | None:
        sources = self.sources
        if agreed := shortcuts.find_agreed_title(sources):
            return agreed
        candidates = title_candidates(sources.titles, sources.head_context, sources.linked_names)
        choice = choose(candidates, TITLE, allow_none=False)
        if choice and choice[0].sources == (TITLE_ELEMENT,) and not sources.headings:
            # Only <title> has it, and there is no heading: a headline in the body's markup is closer to the text.
            return other_fields.find_body_title(sources) or to_field_value(choice)
        return to_field_value(choice)

    @cached_property
    def _authors(self) -> FieldValue[Authors] | None:
        authors = (
            other_fields.read_marked_authors(self.sources, self.field_nodes.get("authors"))
            or shortcuts.find_certain_authors(self.sources)
            or self._choose_authors()
        )
        return authors and other_fields.complete_author_urls(self.sources, authors)

    def _choose_authors(self) -> FieldValue[Authors] | None:
        in_head = self._author_candidates(body=False)
        if len(in_head) == 1:  # if the head contradicts itself, the visible text decides
            choice = choose(in_head, AUTHOR, min_confidence=_HEAD_AUTHOR_CONFIDENCE)
            if choice and not names_site(choice[0]):  # a site that names itself may name a person in the text
                return to_field_value(choice)
        candidates = self._author_candidates(body=True)
        choice = choose(candidates, AUTHOR, min_confidence=MIN_AUTHOR_CONFIDENCE)
        if choice and names_site(choice[0]):  # a person whom two places name is more likely than the site
            others = [candidate for candidate in candidates if len(candidate.sources) > 1 and not names_site(candidate)]
            choice = choose(others, AUTHOR, min_confidence=_HEAD_AUTHOR_CONFIDENCE) or choice
        return to_field_value(choice or self._choose_declared_author(candidates))

    def _author_candidates(self, *, body: bool) -> list[Candidate[Authors]]:
        context = self.sources.author_context(is_dated=self._is_dated, body=body)
        return author_candidates(self.sources.claims("author", body=body), context)

    def _choose_declared_author(self, candidates: list[Candidate[Authors]]) -> tuple[Candidate[Authors], float] | None:
        """Return the only candidate if markup declares it, although the page does not look like an article.

        Shops declare the maker of a page, and home pages their owner: there this does not count.
        """
        if len(candidates) != 1 or self.sources.is_shop_or_home:
            return None
        is_site_known = bool(self.sources.site_names or self.sources.brand)
        is_declared = is_declared_author(candidates[0], is_site_known=is_site_known)
        return (candidates[0], MIN_AUTHOR_CONFIDENCE) if is_declared else None

    @cached_property
    def _published(self) -> FieldValue[Moment] | None:
        marked = other_fields.read_marked_date(self.sources, self.field_nodes.get("published"))
        return marked or self._published_in_head or self._choose_date()

    @cached_property
    def _published_in_head(self) -> FieldValue[Moment] | None:
        """The publication date, if the head or the URL is certain about it."""
        if agreed := shortcuts.find_agreed_date(self.sources):
            return agreed
        choice = choose(self._date_candidates(body=False), DATE, min_confidence=_HEAD_DATE_CONFIDENCE)
        is_clear = choice is not None and not is_ambiguous_in_head(self.sources, choice[0].value)
        return to_field_value(choice) if is_clear else None

    def _choose_date(self) -> FieldValue[Moment] | None:
        candidates = self._date_candidates(body=True)
        if choice := choose(candidates, DATE, min_confidence=MIN_DATE_CONFIDENCE):
            return to_field_value(choice)
        # A day that markup declares is given, however improbable.
        choice = choose([candidate for candidate in candidates if is_declared_publication(candidate)], DATE)
        return to_field_value((choice[0], MIN_DATE_CONFIDENCE)) if choice else None

    def _date_candidates(self, *, body: bool) -> list[Candidate[Moment]]:
        sources = self.sources
        published, modified = (sources.claims(name, body=body) for name in ("published", "modified"))
        return date_candidates(published, modified, sources.context if body else sources.head_context)

    @property
    def _is_dated(self) -> bool:
        return self._published is not None and self._published.confidence >= _DATED_CONFIDENCE

    # Fields with a fixed order of sources

    @cached_property
    def _modified(self) -> FieldValue[Moment] | None:
        modified = other_fields.read_marked_date(self.sources, self.field_nodes.get("modified"))
        modified = modified or find_modified(self.sources, body=not self._is_dated_without_body)
        if modified and self._published and as_date(modified.value) < as_date(self._published.value):
            return None
        return modified

    @property
    def _is_dated_without_body(self) -> bool:
        """True if the publication date is so certain that the body is not read for the date of the last change.

        The date comes from the head, or from the URL of a page whose head describes it.
        """
        published = self._published
        if published is None or published.confidence < _HEAD_DATE_CONFIDENCE:
            return False
        is_from_url = published.source == URL and self._published_in_head is published
        is_described = is_from_url and other_fields.describes_page_in_head(self.sources)
        return published.source in HEAD_SOURCES or is_described

    @cached_property
    def _site(self) -> FieldValue[str] | None:
        return other_fields.find_site(self.sources)

    @cached_property
    def _language(self) -> FieldValue[str] | None:
        return other_fields.find_language(self.sources)

    @cached_property
    def _description(self) -> FieldValue[str] | None:
        return other_fields.find_description(self.sources)

    @cached_property
    def _tags(self) -> FieldValue[tuple[str, ...]] | None:
        return other_fields.find_terms(self.sources, "tag", self.field_nodes.get("tags"))

    @cached_property
    def _categories(self) -> FieldValue[tuple[str, ...]] | None:
        return other_fields.find_terms(self.sources, "category", self.field_nodes.get("categories"))

    @cached_property
    def _canonical(self) -> FieldValue[str] | None:
        return other_fields.find_canonical(self.sources)

    @cached_property
    def _license(self) -> FieldValue[str] | None:
        return other_fields.find_license(self.sources)

    @cached_property
    def _image(self) -> FieldValue[str] | None:
        return other_fields.find_image(self.sources)

    @cached_property
    def _page_type(self) -> FieldValue[str] | None:
        return other_fields.find_page_type(self.sources)

    @cached_property
    def _images(self) -> FieldValue[tuple[Image, ...]] | None:
        images = find_images(self.sources.page, self.sources.body)
        return combine_sources(images, ["img"]) if images else None


def _value(field_value: FieldValue[T] | None) -> T | None:
    return None if field_value is None else field_value.value


def _to_iso(moment: Moment | None) -> str | None:
    return None if moment is None else moment.isoformat()
