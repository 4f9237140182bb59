"""Sites that the tests of learning and of duplicates are given."""

from __future__ import annotations

from pathlib import Path

from tests.batch.batch_pages import response, write_warc

TREES = "oak ash elm yew fir larch alder hazel maple rowan aspen cedar holly lime pear plum beech birch hornbeam willow"


def story(site: str, number: int) -> bytes:
    """An article of a site, in its template, with words that no other has."""
    tree = TREES.split()[number % 20]
    topic = f"{tree}{site.partition('.')[0]}{number}"
    sentences = [
        f"The {topic} that stands by the {place} of the {tree} has a {thing} which nobody had seen before. The {topic}"
        f" keeps it, as foresters say who know the {thing} of every {topic} well, and the {topic} keeps it long."
        for place in "river mill gate wall".split()
        for thing in "scar burr root".split()
    ]
    body = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    return (
        f"<!DOCTYPE html><html lang=en><head><title>About the {topic}</title></head><body><div id=top>"
        f"<a href=/>Home</a> <a href=/news>News</a></div><div class=column><div class=story id=story-{number}>"
        f"<h1>About the {topic}</h1>{body}"
        f"<p class=share>Tell a friend about this page of {site}, or print it</p></div></div><div id=side><ul><li>"
        "<a href=/1>The first of the others</a></li><li><a href=/2>The second</a></li></ul></div></body></html>"
    ).encode()


def goods(site: str, number: int) -> bytes:
    """A list of things to buy: no article."""
    items = "".join(
        f"<li class=item><a href=/{number}/{n}><b>Saw {number}-{n}</b></a> <i>{n + number}.99 €</i></li>"
        for n in range(40)
    )
    return (
        f"<!DOCTYPE html><html lang=en><head><title>Saws {number}</title></head><body>"
        f"<div id=top><a href=/>Home</a></div><ul class=goods>{items}</ul><p>Page {number} of {site}</p></body></html>"
    ).encode()


def crawl(path: Path, numbers: range = range(12), sites: str = "ring.example bark.example") -> Path:
    """A WARC of articles of some sites, in turns."""
    pages = [(f"http://www.{site}/story/{number}", story(site, number)) for number in numbers for site in sites.split()]
    return write_warc(path, (response(url, body) for url, body in pages))
