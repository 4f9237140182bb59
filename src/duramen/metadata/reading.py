"""What a page says of itself, read from the tree that is there already, each field when it is first asked for.

The head is read first: `<meta>`, `<link>`, `<title>`, JSON-LD and the headings. The body, its microdata, classes,
`<time>` and bylines, is read for authors and dates, and only where the head leaves doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from sys import intern
from typing import Any, Final, TypeVar
from xml.etree.ElementTree import Element

from duramen.dom.cached import once
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.metadata import agreement, dates, fields, writing
from duramen.metadata.addresses import URL
from duramen.metadata.choosing import agreed, choose
from duramen.metadata.claims import Author, Claim, Found
from duramen.metadata.dates import Moment, day_of
from duramen.metadata.images import Image, images
from duramen.metadata.options import Option
from duramen.metadata.signs import HEAD, author_options, date_options, is_declared, names_people, names_site
from duramen.metadata.sources import Sources
from duramen.metadata.title_signs import title_options
from duramen.metadata.weights import AUTHOR, DATE, TITLE

T = TypeVar("T")

FIELDS: Final = tuple(
    "title authors published modified site language description tags categories canonical licence image"
    " page_type images".split()
)
"""The fields that `how` knows."""
_ATTRIBUTES: Final = {name: intern(f"_{name}") for name in FIELDS}
"""What is looked up again and again is found at once if it is the one string of its letters."""

LEAST_SURE_AUTHOR: Final = 0.31
"""Below this nobody is named: on pages that name nobody, half of what would be said is wrong."""
LEAST_SURE_DATE: Final = 0.02
"""A date is said more freely: of those that are shown anywhere, most are right."""
_TITLE_ALONE: Final = ("title",)
_SURE_AUTHOR: Final = 0.5
_SURE_DATE: Final = 0.75
"""A head as sure as this need not be checked against the body: that would change one answer in a hundred."""


@dataclass(frozen=True, eq=False, init=False)
class Metadata:
    """The fields of a page. One that the page does not give is None, or empty; `how` says where a field came from."""

    sources: Sources = field(repr=False)
    field_nodes: Mapping[str, int] = field(default_factory=dict, repr=False)
    """The elements that are known to show `authors`, `published`, `modified`, `tags` or `categories`: of a wrapper."""

    def __init__(self, sources: Sources, field_nodes: Mapping[str, int] | None = None) -> None:
        own = self.__dict__  # it is frozen
        own["sources"] = sources
        own["field_nodes"] = field_nodes or {}

    @classmethod
    def read(cls, page: Page, today: date | None = None, field_nodes: Mapping[str, int] | None = None) -> Metadata:
        """The metadata of a page. No date is later than `today`, by default the day that it is by the clock.

        `field_nodes` are the elements that are known to show the authors, a date, or to list the tags or categories.

        The same page and the same `today` give the same answer.
        """
        return cls(Sources(page, today or dates.today()), field_nodes)

    def __reduce__(self) -> tuple[Callable[..., Metadata], tuple[Page, date, Mapping[str, int]]]:
        """What is copied or pickled is what it was read from: where it is loaded its sources need not be compiled."""
        return Metadata.read, (self.sources.page, self.sources.today, self.field_nodes)

    def how(self, name: str) -> Found[Any] | None:
        """The value of a field with its source and how sure it is; None where the page does not give it."""
        attribute = _ATTRIBUTES.get(name)
        if attribute is None:
            raise UsageError(f"metadata have no field {name!r}: they have {', '.join(FIELDS)}")
        found: Found[Any] | None = getattr(self, attribute)
        return found

    @property
    def title(self) -> str | None:
        """What the page is called, without the name of the site."""
        return _value(self._title)

    @property
    def authors(self) -> tuple[Author, ...]:
        """The people or organisations that wrote it."""
        return self._authors.value if self._authors else ()

    @property
    def published(self) -> Moment | None:
        """When it was published: an aware datetime where the page gives a time and its zone, else a date.

        Where a page gives only the day of its last change, that is the day, and less sure.
        """
        return _value(self._published)

    @property
    def modified(self) -> Moment | None:
        """When it was last changed, not before it was published."""
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
        return _value(self._description)

    @property
    def tags(self) -> tuple[str, ...]:
        return self._tags.value if self._tags else ()

    @property
    def categories(self) -> tuple[str, ...]:
        return self._categories.value if self._categories else ()

    @property
    def canonical(self) -> str | None:
        """The address that the page says it stands at."""
        return _value(self._canonical)

    @property
    def licence(self) -> str | None:
        """The licence: mostly its address."""
        return _value(self._licence)

    @property
    def image(self) -> str | None:
        """The address of the lead image."""
        return _value(self._image)

    @property
    def page_type(self) -> str | None:
        """What kind of page it says it is: `article`, `forum`, `product`, `website`, …"""
        return _value(self._page_type)

    @property
    def images(self) -> tuple[Image, ...]:
        """The images of the page's own parts, with their captions."""
        return self._images.value if self._images else ()

    @property
    def url(self) -> str | None:
        """Where the page was found, else where it says it stands."""
        return self.sources.page.url or self.canonical

    def as_dict(self) -> dict[str, object]:
        """Everything, ready for JSON: dates in ISO 8601, and `sources` saying where each field came from."""
        found: dict[str, object] = {
            "title": self.title,
            "authors": [author.as_dict() for author in self.authors],
            "published": _iso(self.published),
            "modified": _iso(self.modified),
            "site": self.site,
            "language": self.language,
            "description": self.description,
            "tags": list(self.tags),
            "categories": list(self.categories),
            "url": self.url,
            "canonical": self.canonical,
            "licence": self.licence,
            "image": self.image,
            "page_type": self.page_type,
            "images": [image._asdict() for image in self.images],
        }
        found["sources"] = self.sources_of_fields()
        return found

    def sources_of_fields(self) -> dict[str, dict[str, object]]:
        """Where each field came from that the page gives, and how sure it is, ready for JSON."""
        how = {name: said for name in FIELDS if (said := self.how(name))}
        return {name: {"source": said.source, "confidence": round(said.confidence, 3)} for name, said in how.items()}

    @property
    def front_matter(self) -> str:
        """The fields in YAML between two lines of `---`, to stand before Markdown."""
        return writing.front_matter(writing.simple(self.as_dict()))

    @property
    def xml(self) -> Element:
        """Everything as an XML element, `metadata`."""
        return writing.as_xml(self.as_dict())

    # What is chosen by learnt weights.

    @once
    def _title(self) -> Found[str] | None:
        if told := agreement.agreed_title(self.sources):
            return told
        options = title_options(self.sources.titles, self.sources.setting_of_head, self.sources.elsewhere)
        chosen = choose(options, TITLE, silence=False)
        if chosen and chosen[0].sources == _TITLE_ALONE and not self.sources.headings:
            # Nobody else calls it so, and no heading either: what is field_nodes as its headline has stood near the text.
            return fields.described_title(self.sources) or _found(chosen)
        return _found(chosen)

    @once
    def _authors(self) -> Found[tuple[Author, ...]] | None:
        found = self._told_authors()
        return found and fields.with_addresses(self.sources, found)

    def _told_authors(self) -> Found[tuple[Author, ...]] | None:
        if told := fields.marked_authors(self.sources, self.field_nodes.get("authors")):
            return told
        if said := agreement.settled_authors(self.sources):
            return said
        options = self._author_options(body=False)
        # Where the head contradicts itself, what readers see has a say.
        in_head = choose(options, AUTHOR, least=_SURE_AUTHOR) if len(options) == 1 else None
        if in_head and not names_site(in_head[0]):  # which may name somebody to its readers
            return _found(in_head)
        options = self._author_options(body=True)
        chosen = choose(options, AUTHOR, least=LEAST_SURE_AUTHOR)
        if chosen and names_site(chosen[0]):  # somebody whom two places name to its readers is likelier to have written
            others = [option for option in options if len(option.sources) > 1 and not names_site(option)]
            chosen = choose(others, AUTHOR, least=_SURE_AUTHOR) or chosen
        return _found(chosen) or self._declared_author(options)

    @once
    def _published(self) -> Found[Moment] | None:
        if told := fields.marked_date(self.sources, self.field_nodes.get("published")):
            return told
        if self._published_by_head:
            return self._published_by_head
        options = self._date_options(body=True)
        return _found(choose(options, DATE, least=LEAST_SURE_DATE)) or self._declared_date(options)

    @once
    def _published_by_head(self) -> Found[Moment] | None:
        """The day of publication, where the head or the address is sure of it."""
        if said := agreement.agreed_date(self.sources):
            return said
        in_head = choose(self._date_options(body=False), DATE, least=_SURE_DATE)
        return _found(in_head) if in_head and not self._is_ambiguous(in_head[0].value) else None

    def _is_ambiguous(self, moment: Moment) -> bool:
        """Whether the head writes a day in figures alone that may be another: 03/09/2023."""
        day, lang = day_of(moment), self.sources.declared_language
        if not dates.may_be_swapped(day):
            return False
        told = [
            claim.value
            for claim in self.sources.claims("published", body=False)
            if (read := dates.read_date(claim.value, lang)) and day_of(read) == day
        ]
        return bool(told) and all(dates.swapped(value, day) for value in told)

    def _declared_date(self, options: Sequence[Option[Moment]]) -> Found[Moment] | None:
        """The likeliest of the days that the page declares to be that of its publication, however little else is."""
        chosen = choose([option for option in options if is_declared(option)], DATE)
        return _found((chosen[0], LEAST_SURE_DATE)) if chosen else None

    def _declared_author(self, options: Sequence[Option[tuple[Author, ...]]]) -> Found[tuple[Author, ...]] | None:
        """People whom the page declares its authors and nothing contradicts, though its other signs are of no article.

        A shop names whoever made the page, and a home page whose it is: they are not believed so easily.
        """
        if len(options) != 1 or self.sources.is_of_wares:
            return None
        setting = self.sources.setting
        knows_site = bool(setting.sites or setting.brand)
        return _found((options[0], LEAST_SURE_AUTHOR)) if names_people(options[0], knows_site) else None

    def _author_options(self, *, body: bool) -> Sequence[Option[tuple[Author, ...]]]:
        setting = self.sources.setting_of_authors(is_dated=self._is_dated, body=body)
        return author_options(self.sources.claims("author", body=body), setting)

    def _date_options(self, *, body: bool) -> Sequence[Option[Moment]]:
        sources = self.sources
        published, modified = (sources.claims(name, body=body) for name in ("published", "modified"))
        return date_options(published, modified, sources.setting if body else sources.setting_of_head)

    @property
    def _is_dated(self) -> bool:
        return self._published is not None and self._published.confidence >= 0.5

    @property
    def _is_dated_without_body(self) -> bool:
        """Whether the day of publication is told so surely that the body is not read for that of the last change.

        The head tells it, or of a page whose head tells what it is the address.
        """
        found = self._published
        if found is None or found.confidence < _SURE_DATE:
            return False
        is_by_address = found.source == URL and self._published_by_head is found
        return found.source in HEAD or (is_by_address and fields.is_told(self.sources))

    # What is chosen by an order of sources.

    @once
    def _modified(self) -> Found[Moment] | None:
        found = fields.marked_date(self.sources, self.field_nodes.get("modified"))
        found = found or fields.modified(self.sources, not self._is_dated_without_body)
        if found and self._published and day_of(found.value) < day_of(self._published.value):
            return None
        return found

    @once
    def _site(self) -> Found[str] | None:
        return fields.site(self.sources)

    @once
    def _language(self) -> Found[str] | None:
        return fields.language(self.sources)

    @once
    def _description(self) -> Found[str] | None:
        return fields.description(self.sources)

    @once
    def _tags(self) -> Found[tuple[str, ...]] | None:
        return fields.labels(self.sources, "tag", self.field_nodes.get("tags"))

    @once
    def _categories(self) -> Found[tuple[str, ...]] | None:
        return fields.labels(self.sources, "category", self.field_nodes.get("categories"))

    @once
    def _canonical(self) -> Found[str] | None:
        return fields.canonical(self.sources)

    @once
    def _licence(self) -> Found[str] | None:
        return fields.licence(self.sources)

    @once
    def _image(self) -> Found[str] | None:
        return fields.image(self.sources)

    @once
    def _page_type(self) -> Found[str] | None:
        return fields.page_type(self.sources)

    @once
    def _images(self) -> Found[tuple[Image, ...]] | None:
        found = images(self.sources.page, self.sources.body)
        return agreed(found, [Claim("", "img")]) if found else None


def _found(chosen: tuple[Option[T], float] | None) -> Found[T] | None:
    if chosen is None:
        return None
    option, sure = chosen
    return Found(option.value, option.sources[0], sure)


def _value(found: Found[T] | None) -> T | None:
    return None if found is None else found.value


def _iso(moment: Moment | None) -> str | None:
    return None if moment is None else moment.isoformat()
