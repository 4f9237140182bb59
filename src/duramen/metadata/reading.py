"""What a page says of itself in its head: the plain fields, read from the tree that is there already."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from duramen.page import Page
from duramen.tree import TEXT, Tree


@dataclass(frozen=True)
class Metadata:
    """Each field is None where the page is silent."""

    title: str | None = None
    description: str | None = None
    language: str | None = None
    url: str | None = None

    @classmethod
    def read(cls, page: Page) -> Metadata:
        tree = page.tree
        title = description = canonical = None
        for node in range(1, tree.body):
            tag = tree.tag[node]
            if tag == "title" and title is None:
                title = _text(tree, node)
            elif tag == "meta" and description is None:
                if (tree.attributes[node].get("name") or "").lower() == "description":
                    description = _tidy(tree.attributes[node].get("content"))
            elif tag == "link" and canonical is None:
                if "canonical" in (tree.attributes[node].get("rel") or "").lower().split():
                    canonical = _tidy(tree.attributes[node].get("href"))
        return cls(title, description, _tidy(tree.attributes[0].get("lang")), page.url or canonical)

    def as_dict(self) -> dict[str, str | None]:
        return asdict(self)


def _text(tree: Tree, node: int) -> str | None:
    return _tidy(" ".join(tree.text[i] for i in range(node, tree.end[node]) if tree.tag[i] == TEXT))


def _tidy(value: str | None) -> str | None:
    return " ".join(value.split()) or None if value else None
