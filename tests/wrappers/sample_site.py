"""An invented news site: pages of one template on different topics."""

from __future__ import annotations

from duramen.dom.page import Page

TOPICS = [
    ("heartwood", "oak rings sapwood lignin timber beams carpenter axe forest trunk bark resin"),
    ("volcano", "lava crater ash eruption magma basalt geologist island summit tremor plume sulphur"),
    ("bakery", "dough yeast oven flour crust baker loaf sourdough butter kneading rye pastry"),
    ("lighthouse", "lamp keeper fog coast ship lens tower storm reef beacon harbour gale"),
    ("violin", "strings bow luthier varnish spruce concerto rosin bridge soloist maple tuning melody"),
    ("glacier", "ice crevasse moraine meltwater valley snow alpine retreat boulder ridge fjord core"),
    ("beekeeper", "hive honey queen swarm nectar wax smoke drone pollen comb clover frames"),
    ("railway", "engine track signal station sleeper gauge tunnel steam carriage timetable guard viaduct"),
    ("telescope", "mirror star galaxy dome orbit comet lens nebula planet observatory eclipse spectrum"),
    ("pottery", "clay kiln glaze wheel vase potter firing slip stoneware porcelain handle ceramic"),
]


def prose(topic: int, sentences: int = 4, start: int = 0) -> str:
    """Sentences that use the words of a topic."""
    name, listed = TOPICS[topic]
    found = listed.split()
    lines = []
    for number in range(start, start + sentences):
        one, other, third = (found[(number * step + step) % len(found)] for step in (1, 5, 7))
        lines.append(f"The {name} has its {one}, and nobody who saw the {other} forgot the {third} of {name} {number}.")
    return " ".join(lines)


def html(
    topic: int,
    *,
    body: str | None = None,
    inside: str = "",
    before: str = "",
    lang: str = ' lang="en"',
    main: str = '<div id="main" class="story">',
) -> str:
    """A page; `inside` stands at the end of the article, `before` between headline and article."""
    name = TOPICS[topic][0]
    others = "".join(
        f'<li><a href="/{other}">More of {other} and news</a></li>' for other, _ in TOPICS if other != name
    )
    text = body if body is not None else "".join(f"<p>{prose(topic, 4, 4 * i)}</p>" for i in range(4))
    return (
        f"<html{lang}><head><title>All about the {name} today | The Daily Ring</title>"
        f'<meta name="description" content="What a {name} is made of."></head><body>'
        '<div id="nav"><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li></ul></div>'
        f"<h1>All about the {name} today</h1>{before}"
        f"{main}{text}{inside}</div>"
        f'<div id="more"><h3>Read also</h3><ul class="related">{others}</ul></div>'
        '<div id="foot"><p>Copyright The Daily Ring. All rights reserved, everywhere.</p></div></body></html>'
    )


def page(topic: int, **parts: str) -> Page:
    return Page.parse(html(topic, **parts))  # type: ignore[arg-type]


def site(count: int = 5, **parts: str) -> list[Page]:
    """Pages of the site, each about another topic."""
    return [page(topic, **parts) for topic in range(count)]


def second_template(topic: int) -> str:
    """A page of another template."""
    items = "".join(
        f"<section class=entry><blockquote>{prose(topic, 3, 9 * i)}</blockquote></section>" for i in range(3)
    )
    return (
        f"<html lang=en><title>{topic}</title><header class=top><em>Blog</em></header><main class=posts>{items}</main>"
    )
