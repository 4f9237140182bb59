"""The default extractor: with a model of two trees, whose answers can be foretold, and with the one that is shipped."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import duramen
from duramen import methods
from duramen.content import Content
from duramen.dom.blocks import Blocks
from duramen.dom.page import Page
from duramen.errors import InputError, UsageError
from duramen.language import words
from duramen.methods.auto import features, page_type
from duramen.methods.auto.boosted_trees import BoostedTrees, Floats
from duramen.methods.auto.method import STEP_NAMES, Auto
from duramen.methods.auto.model import AutoModel
from duramen.methods.auto.postprocess import FAVOR_EXPONENTS
from duramen.methods.auto.threshold import STRATEGIES

TESTS = Path(__file__).parents[2]
EXAMPLE = TESTS.parent / "examples" / "page.html"
needs_model = pytest.mark.skipif(
    not (Path(duramen.__file__).parent / "models" / "auto.npz").is_file(), reason="the model is not trained yet"
)

LONG = "A paragraph of more than a dozen words is what this model takes for content, and nothing else is."
OTHER = "Another paragraph of more than a dozen words, which stands beside the first one and is as long."


def stump(feature: int, threshold: float, low: float, high: float) -> BoostedTrees:
    return BoostedTrees(
        root=np.array([0], np.int32),
        feature=np.array([feature], np.int32),
        threshold=np.array([threshold]),
        left=np.array([-1], np.int32),
        right=np.array([-2], np.int32),
        value=np.array([low, high]),
    )


READERS = "".join(
    f"<li class=comment><cite>Reader {i}</cite> <a href=#{i}>November {i}, 2012 at 10:31 am</a><p>{i}. {LONG}</p></li>"
    for i in range(1, 4)
)


@pytest.fixture
def model(tmp_path: Path) -> str:
    """A model that takes blocks of more than twelve words for content, by its first look; the second believes it."""
    return written(tmp_path / "model.npz", -4.0)


@pytest.fixture
def doubting(tmp_path: Path) -> str:
    """The same, less sure that shorter blocks are none."""
    return written(tmp_path / "doubting.npz", -2.5)


def written(path: Path, low: float) -> str:
    first = stump(features.NAMES.index("words"), 12.5, low, 4.0)
    second = stump(features.COUNT, 0.5, low, 4.0)
    types = {"article": stump(1, 0.5, -1.0, 1.0), "list": stump(1, 0.5, 1.0, -1.0)}  # by the share that is kept
    AutoModel({}, first, second, types, ((0.0, 1.0), (0.0, 0.5))).save(path)
    return str(path)


Kept = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("above", "kept"),
    [
        ("<h1>The oak of the mill</h1><p>By A. Writer</p><ul><li>Share</ul>", ["The oak of the mill"]),
        ("<div>The oak of the mill</div><p>Share this</p>", ["The oak of the mill"]),
        ("<p>The oak of the mill</p><h1>The oak of the mill</h1>", ["The oak of the mill"]),  # the nearest
        ("<h1>The oak of the mill</h1><p>The oak of</p>", ["The oak of the mill"]),  # not a part of it
        ("<h1>“The oak” of the mill</h1><p>Share this</p>", ["“The oak” of the mill"]),  # whatever marks it has
        ("<h1>Why the mill must go</h1><p>Share this</p>", ["Why the mill must go"]),  # in other words
        ("<h1><a href=/>All of the mill</a></h1><div>News</div>", []),  # a link is the name of the site
        ("<h2>Why the mill must go</h2><p>Share this</p>", []),  # it may be that of another story
        ("<h1>Another thing</h1><div>News</div>", []),
        ("<p>oak</p>", []),  # a label
    ],
)
def test_the_headline_belongs_to_the_content(model: str, above: str, kept: list[str]) -> None:
    page = (
        f"<title>The oak of the mill - Some Paper</title><body><nav><a href=/>News</a></nav>{above}<p>{LONG}<p>{OTHER}"
    )
    assert duramen.extract(page, method=f"auto:model={model}").text.split("\n\n") == [*kept, LONG, OTHER]


def test_blocks_above_the_cut_off_are_kept(model: str, kept: Kept) -> None:
    assert kept(Auto(model=model), f"<nav>Home</nav><p>{LONG}</p><p>{OTHER}</p><footer>Terms</footer>") == [LONG, OTHER]


def test_kept_blocks_that_follow_each_other_are_one_span(model: str) -> None:
    page = Page.parse(
        f"<p>{LONG}</p><img src=a.png><p>{OTHER}</p><div>eight words that are by far too few</div><p>{LONG}</p>"
    )
    content = Auto(model=model)(page)
    assert len(content.spans) == 2
    assert "img" in [page.tree.tag[node] for node in content.spans[0]]


def test_links_and_emphasis_stay_in_their_block(model: str) -> None:
    html = f"<p>{LONG[:30]}<a href='/x'>{LONG[30:40]}</a>{LONG[40:]}</p><p>short</p>"
    assert Auto(model=model)(Page.parse(html)).text.strip() == LONG


def test_the_reason_counts_blocks_and_words(model: str) -> None:
    content = Auto(model=model)(Page.parse(f"<p>Home</p><p>{LONG}</p>"))
    size = len(LONG.split())
    assert content.reason == f"1 of 2 blocks, {size} of {size + 1} words, stand above the page's cut-off"


def test_confidence_is_calibrated(model: str) -> None:
    assert 0.4 < Auto(model=model)(Page.parse(f"<p>{LONG}</p>")).confidence < 0.5


def test_the_page_type_is_given(model: str) -> None:
    assert Auto(model=model)(Page.parse(f"<p>Home</p><p>{LONG}</p>")).page_type == "article"
    short = "".join(f"<p>only {number} words here</p>" for number in range(60))
    assert Auto(model=model, inference="threshold")(Page.parse(f"<p>{LONG}</p>{short}")).page_type == "list"


def test_the_declared_type_influences_the_page_type(tmp_path: Path) -> None:
    def classify(name: str, html: str, url: str | None = None) -> str | None:
        type_trees = stump(page_type.NAMES.index(name), 0.5, 0.0, 2.0)
        block_trees = stump(features.NAMES.index("words"), 12.5, -4.0, 4.0), stump(features.COUNT, 0.5, -4.0, 4.0)
        AutoModel({}, *block_trees, {"yes": type_trees, "not yes": stump(0, -1.0, 1.0, 1.0)}).save(
            tmp_path / "model.npz"
        )
        return duramen.extract(html, url=url, method=Auto(model=str(tmp_path / "model.npz"))).page_type

    page = f"<p>{LONG}</p>"
    assert classify("url_docs", page, "https://example.org/docs/oak") == "yes"
    assert classify("url_docs", page, "https://example.org/oak") == classify("url_docs", page) == "not yes"
    assert classify("currency_signs", f"{page}<p>$ 5") == "yes"
    assert classify("currency_signs", f"{page}<p hidden>$ 5") == "not yes"
    assert classify("og_product", f"<meta property=og:type content=product>{page}") == "yes"


def test_a_model_without_types_gives_no_type(tmp_path: Path) -> None:
    path = tmp_path / "plain.npz"
    AutoModel({}, stump(0, 12.5, -4.0, 4.0), stump(features.COUNT, 0.5, -4.0, 4.0), {}).save(path)
    content = Auto(model=str(path))(Page.parse(f"<p>{LONG}</p>"))
    assert content
    assert content.page_type is None


def test_a_page_without_likely_content_is_reported(model: str) -> None:
    content = Auto(model=model, inference="threshold")(Page.parse("<p>Home</p><p>News</p>"))
    assert not content
    assert content.reason == "no block of the page looks like content"


@pytest.mark.parametrize("html", ["", "<p></p>", "<script>s</script>", "<frameset><frame>"])
def test_a_page_without_words_is_reported(model: str, html: str) -> None:
    content = Auto(model=model)(Page.parse(html))
    assert not content
    assert content.reason == "the page has no words"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"favor": "speed"}, "auto: favor is one of balance, precision, recall, not 'speed'"),
        ({"favor": 2}, "auto: favor is one of balance, precision, recall, not 2"),
        ({"inference": "guess"}, f"auto: inference is one of {', '.join(STRATEGIES)}, not 'guess'"),
        (
            {"without": "copies+x"},
            f"auto: each step of without is one of {', '.join(sorted(STEP_NAMES))}, not 'x'",
        ),
        ({"without": 2}, f"auto: each step of without is one of {', '.join(sorted(STEP_NAMES))}, not '2'"),
        (
            {"without": "copies,x"},
            f"auto: each step of without is one of {', '.join(sorted(STEP_NAMES))}, not 'copies,x'",
        ),
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Auto(**parameters)
    assert str(caught.value) == message


def test_a_missing_model_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such model; make one with  duramen train auto"):
        Auto(model=str(tmp_path / "none.npz"))(Page.parse("<p>words"))


def test_it_is_registered_with_its_parameters() -> None:
    assert methods.get("auto") == Auto()
    assert methods.get("auto:favor=recall:inference=tree") == Auto(favor="recall", inference="tree")


def test_it_can_be_sent_to_another_process(model: str) -> None:
    method = Auto(model=model, favor="precision")
    assert pickle.loads(pickle.dumps(method)) == method


# With the model that is shipped.

MENU = (
    "<nav class=menu><ul>"
    + "".join(f"<li><a href='/{n}'>{n}</a>" for n in "Home News Sport Shop".split())
    + "</ul></nav>"
)
COOKIES = (
    "<div class=cookie-banner><p>We use cookies to make this site better for you.</p><button>Accept</button></div>"
)
COMMENTS = (
    "<section id=comments class=comments><h3>3 comments</h3>"
    + "".join(
        f"<div class=comment><b>{who}</b><p>{text}</p><a href='#'>Reply</a></div>"
        for who, text in (("jo", "Great read, thanks!"), ("kim", "I do not agree at all."), ("al", "First."))
    )
    + "</section>"
)
FOOTER = (
    "<footer class=footer><a href=/terms>Terms</a> <a href=/privacy>Privacy policy</a> All rights reserved.</footer>"
)
PARAGRAPHS = [
    "The old oak in the yard of the mill lost half of its crown in the storm of last winter, and the miller, who had "
    "sat under it every evening for forty years, did not know what to do with so much wood.",
    "He had it sawn into boards, stacked them in the barn with laths between them, and waited for two years. In the "
    "third spring he carried the first of them into the house, planed it, and was surprised by its colour.",
    "Of the best boards he made a table. It has room for twelve, weighs as much as a small horse, and has never been "
    "moved since; when his daughter was married, the guests ate from it in three shifts.",
]
INSIDE = (
    "<h2>What became of the wood</h2><table><tr><th>Piece</th><th>Boards</th></tr><tr><td>Table for twelve</td><td>9"
    "</td></tr><tr><td>Bench by the stove</td><td>3</td></tr></table>"
    "<p>Three things he would do otherwise, if he had to do it all again, and he hopes he never has to:</p>"
    "<ul><li>wait for a third year, because the thick boards moved;</li><li>paint the ends, against cracks;</li>"
    "<li>keep the bark off the pile, since beetles live in it.</li></ul>"
)
ARTICLE = (
    f"<!doctype html><html lang=en><title>The oak of the mill</title><body>{COOKIES}{MENU}<main><article class=post>"
    f"<h1>The oak of the mill</h1>{''.join(f'<p>{text}</p>' for text in PARAGRAPHS)}{INSIDE}</article>{COMMENTS}</main>"
    f"{FOOTER}</body></html>"
)


def test_repeated_blocks_are_kept_once_with_the_labels_between(model: str) -> None:
    label = "A heading of thirteen words, which this model keeps and which is none"
    story = f"<p>{LONG}</p><h2>{label}</h2><p>{OTHER}</p>"
    page = f"<div class=wide>{story}</div><div class=narrow>{story}</div>"
    content = duramen.extract(page, method=Auto(model=model))
    assert label in content.text
    assert content.text == duramen.extract(story, method=Auto(model=model)).text


@pytest.mark.parametrize(
    ("page", "times"),
    [
        ("{both}{others}{others}{both}", 2),  # less than a third of all
        ("{both}<p>I say:</p><blockquote>{both}</blockquote>", 2),
        ("{both}{both}{both}", 3),  # a form of words
        ("<p>" + LONG + "</p>" + "<p>" + LONG + "</p>", 2),  # one paragraph
    ],
)
def test_quoted_or_repeated_text_is_kept(model: str, page: str, times: int) -> None:
    others = "".join(f"<p>{number}. {OTHER} So it is.</p>" for number in range(3))
    whole = page.format(both=f"<p>{LONG}</p><p>{OTHER}</p>", others=others)
    assert duramen.extract(whole, method=Auto(model=model)).text.count(LONG) == times


def test_a_page_without_content_is_empty_with_a_reason_but_a_short_note_is_kept(model: str) -> None:
    menu = "<ul>" + "".join(f"<li><a href=/{number}>Item {number}</a>" for number in range(15)) + "</ul>"
    content = duramen.extract(menu, method=f"auto:model={model}")
    assert (content.text, content.reason) == ("", "no block of the page looks like content")
    assert "Item 7" in duramen.extract(menu, method=Auto(model=model, favor="recall")).text
    assert duramen.extract("<p>Back at five", method=f"auto:model={model}").text == "Back at five"
    poem = "a line of it, " * 4 + "\n"
    assert duramen.extract(f"<pre>{poem * 3}</pre>", method=f"auto:model={model}").text


def test_a_listing_beside_a_paragraph_is_kept_without_the_numbers_of_its_lines(doubting: str) -> None:
    code = "<table><tr><td><pre>1\n2</pre><td><pre>saw(oak)</pre></table>"
    page = f"<div><p>{LONG}{code}<p>{OTHER}<p>See<pre>fell(oak)</pre></div><div><p>Share<pre>elsewhere()</pre></div>"
    text = duramen.extract(page, method=Auto(model=doubting)).text
    assert text.split("\n\n") == [LONG, "saw(oak)", OTHER, "fell(oak)"]


@pytest.mark.parametrize(
    "page",
    [
        "<main><div><p>{LONG}</div><div>{code}</div><div><p>{OTHER}</div></main>",
        "<p>{LONG}<br><br>{OTHER}</p>{code}<p>{LONG} Yes.<br><br>{OTHER} No.</p>",
        "<ul><li>{LONG}<li>{OTHER}</ul>{code}<ul><li>{LONG} Yes.<li>{OTHER} No.</ul>",
        "<section><p>{LONG}<p>{OTHER}</section><section>{code}</section><aside><p>Log in</aside>",
    ],
)
def test_a_listing_is_beside_text_in_any_wrapping(doubting: str, kept: Kept, page: str) -> None:
    code = "take the saw and fell the oak of the mill"
    whole = page.format(LONG=LONG, OTHER=OTHER, code=f"<pre>{code}</pre>")
    assert code in kept(Auto(model=doubting), whole)


@pytest.mark.parametrize(
    "inside",
    [
        "<nav><pre>Home News</pre></nav>",
        "<aside><pre>Buy oak</pre></aside>",
        "<form><pre>Your name</pre></form>",
        "<footer><pre>Terms of use</pre></footer>",
        "<div class=comments><pre>Well said</pre></div>",
    ],
)
def test_elements_that_are_no_listing_of_the_text_are_not_kept(doubting: str, kept: Kept, inside: str) -> None:
    assert kept(Auto(model=doubting), f"<p>{LONG}</p>{inside}<p>{OTHER}</p>") == [LONG, OTHER]


def test_listings_are_not_kept_for_their_position_if_precision_is_favored(doubting: str, kept: Kept) -> None:
    code = "take the saw and fell the oak of the mill"
    page = f"<p>{LONG}</p><pre>{code}</pre><p>{OTHER}</p>"
    assert code in kept(Auto(model=doubting), page)
    assert kept(Auto(model=doubting, favor="precision"), page) == [LONG, OTHER]


ITEMS = "<ul>" + "".join(f"<li><a href=/{number}>Item {number}</a>" for number in range(9)) + "</ul>"
STORY = [LONG, OTHER, f"{LONG} Again.", f"{OTHER} Again."]
VEILED = f"<div style='display:none'>{''.join(f'<p>{text}</p>' for text in STORY)}</div>"


def test_hidden_text_is_read_if_most_of_the_content_is_hidden(model: str, kept: Kept) -> None:
    page = f"{ITEMS}{VEILED}{ITEMS}"
    assert kept(Auto(model=model), page) == STORY
    assert kept(Auto(model=model, favor="precision"), page) == []
    content = duramen.extract(page, method=Auto(model=model))
    assert content.text.split("\n\n") == STORY
    assert replace(content, clips={content.spans[0].start: (0, 3)}).text.startswith(LONG[:3] + "\n\n" + OTHER)
    assert pickle.loads(pickle.dumps(content)).text == content.text


def test_hidden_text_is_not_read_if_it_is_a_small_part(model: str, kept: Kept) -> None:
    shown = [f"{number}. {LONG}" for number in range(5)]
    assert kept(Auto(model=model), "".join(f"<p>{text}</p>" for text in shown) + VEILED) == shown  # it is not most
    notice = f"<div hidden><p>{LONG}</p><p>{OTHER}</p></div>"
    assert kept(Auto(model=model), f"{ITEMS}{notice}{ITEMS}") == []


def typed(path: Path, low: float, **types: float) -> str:
    """A model that doubts short blocks and knows how much speaks for each type of page, whatever the page is."""
    block_trees = stump(features.NAMES.index("words"), 12.5, low, 4.0), stump(features.COUNT, 0.5, low, 4.0)
    type_trees = {kind: stump(0, -1.0, score, score) for kind, score in types.items()}
    AutoModel({}, *block_trees, type_trees, ((0.0, 1.0), (0.0, 0.5))).save(path)
    return str(path)


def test_hidden_text_is_not_read_if_the_confidence_is_higher_without_it(tmp_path: Path, kept: Kept) -> None:
    method = Auto(model=typed(tmp_path / "model.npz", -0.1), favor="recall")
    doubtful = "".join(f"<p>Item {number} of the list of things to buy</p>" for number in range(40))
    shown = "".join(f"<p>{text}</p>" for text in STORY)
    assert len(kept(method, f"{shown}{doubtful}")) == 44
    assert kept(method, f"{shown}<div hidden>{doubtful}</div>") == STORY


CHAPTERS = f"<p>{LONG}</p>" + "".join(f"<div class=c{n}>Chapter {n} of the book of oaks</div>" for n in range(6))


@pytest.mark.parametrize(
    ("types", "kept_blocks"),
    [
        ({"article": -1.2, "list": 2.0}, 7),  # the odds are more than three to one
        ({"article": -1.0, "list": 2.0}, 1),
        ({"article": -4.0, "product": 2.0}, 1),
        ({"article": -4.0, "list": -5.0}, 1),  # it is likelier than anything else
        ({"list": 2.0}, 1),
        ({"documentation": 2.0}, 7),
        ({}, 1),
    ],
)
def test_more_is_kept_of_pages_that_are_surely_no_articles(
    tmp_path: Path, kept: Kept, types: dict[str, float], kept_blocks: int
) -> None:
    model = typed(tmp_path / "model.npz", -1.5, **types)
    assert len(kept(Auto(model=model), CHAPTERS)) == kept_blocks
    assert len(kept(Auto(model=model, favor="precision"), CHAPTERS)) == 1


POSTS = (
    "".join(f"<div class=post>{text}</div>" for text in (LONG, OTHER, f"{LONG} {OTHER}", "Thanks to you"))
    + "<p>Log in to answer</p>"
)


def test_the_posts_of_a_thread_share_their_score(tmp_path: Path, kept: Kept) -> None:
    for kind, is_kept in (("forum", True), ("article", False)):
        model = typed(tmp_path / f"{kind}.npz", -0.7, **{kind: 2.0, "product": -4.0})
        assert ("Thanks to you" in kept(Auto(model=model), POSTS)) == is_kept


@needs_model
def test_the_article_is_kept_and_the_rest_is_left() -> None:
    text = duramen.extract(ARTICLE, method="auto").text
    for paragraph in PARAGRAPHS:
        assert paragraph in text
    for outside in ("cookies", "Sport", "Great read", "I do not agree", "Reply", "Privacy", "rights reserved"):
        assert outside not in text


@needs_model
def test_tables_and_lists_inside_are_kept() -> None:
    text = duramen.extract(ARTICLE, method="auto").text
    for inside in ("What became of the wood", "Table for twelve", "Bench by the stove", "third year", "beetles"):
        assert inside in text


@needs_model
def test_the_example_page() -> None:
    content = duramen.extract(EXAMPLE.read_text("utf-8"), method="auto")
    for inside in (
        "Saw through an old oak",
        "leans on its past",
        "Black locust",
        "heartwood_share",
        "before you were born",
    ):
        assert inside in content.text
    for outside in ("We use cookies", "Courses", "Tried the smoke trick", "Newsletter", "Sharpen a chisel", "VAT"):
        assert outside not in content.text
    assert content.page_type == "article"
    assert 0.5 < content.confidence <= 1.0


@needs_model
@pytest.mark.parametrize("language", "ar de en es fr it ja pt ru zh".split())
def test_articles_in_other_languages_and_scripts(language: str) -> None:
    folder = TESTS / "pages" / f"news-{language}"
    extracted = set(words(duramen.extract((folder / "page.html").read_bytes(), method="auto").text))
    gold = set(words((folder / "expected" / "text-econ.txt").read_text("utf-8")))
    assert len(extracted & gold) >= 0.9 * len(gold)
    assert len(extracted & gold) >= 0.8 * len(extracted)


RUSSIAN = """<!doctype html><html lang=ru><title>Старый дуб</title><body>
<nav><ul><li><a href=/>Главная</a><li><a href=/n>Новости</a><li><a href=/s>Спорт</a></ul></nav>
<div class=content><h1>Старый дуб</h1>
<p>Старый дуб у мельницы потерял половину кроны во время зимней бури, и мельник, сидевший под ним сорок лет, не знал,
что делать с таким количеством дерева.</p>
<p>Он распилил ствол на доски, сложил их в сарае и ждал два года. На третью весну он внёс первую доску в дом, обстругал
её и удивился цвету.</p></div><footer><a href=/p>Политика конфиденциальности</a></footer>"""
CHINESE = """<!doctype html><html lang=zh><title>老橡树</title><body>
<nav><ul><li><a href=/>首页</a><li><a href=/n>新闻</a><li><a href=/s>体育</a></ul></nav>
<div class=content><h1>老橡树</h1>
<p>去年冬天的暴风雨中，磨坊旁的老橡树失去了一半的树冠。磨坊主在树下坐了四十年，不知道该怎么处理这么多木材。</p>
<p>他把树干锯成木板，堆放在谷仓里，等了两年。第三年春天，他把第一块木板搬进屋里，对它的颜色感到非常惊讶。</p>
</div><footer><a href=/p>隐私政策</a></footer>"""


@needs_model
@pytest.mark.parametrize(
    ("html", "inside", "outside"),
    [
        (RUSSIAN, ("потерял половину", "удивился цвету"), ("Спорт", "Политика")),
        (CHINESE, ("失去了一半的树冠", "感到非常惊讶"), ("体育", "隐私政策")),
    ],
    ids=["Russian", "Chinese"],
)
def test_written_pages_in_other_scripts(html: str, inside: tuple[str, ...], outside: tuple[str, ...]) -> None:
    text = duramen.extract(html, method="auto").text
    assert [each for each in inside if each not in text] == []
    assert [each for each in outside if each in text] == []


@needs_model
@pytest.mark.parametrize("inference", STRATEGIES)
def test_every_strategy_finds_the_article(inference: str) -> None:
    text = Auto(inference=inference)(Page.parse(ARTICLE)).text
    assert all(paragraph in text for paragraph in PARAGRAPHS)


@needs_model
def test_precision_keeps_no_more_and_recall_no_less() -> None:
    for html in (ARTICLE, EXAMPLE.read_text("utf-8"), RUSSIAN):
        page = Page.parse(html)
        sizes = [len(words(Auto(favor=favor)(page).text)) for favor in ("precision", "balance", "recall")]
        assert sizes == sorted(sizes)
    assert set(FAVOR_EXPONENTS) == {"precision", "balance", "recall"}


@needs_model
def test_the_same_page_has_the_same_content() -> None:
    first, second = (duramen.extract(ARTICLE, method="auto") for _ in range(2))
    assert (first.spans, first.confidence, first.reason) == (second.spans, second.confidence, second.reason)


def test_comments_are_dropped_from_the_kept_blocks(model: str, kept: Kept) -> None:
    article = f"<h1>The oak</h1><p>{LONG}</p><p>{OTHER}</p>"
    assert kept(Auto(model=model), f"{article}<ol class=commentlist>{READERS}</ol>") == [LONG, OTHER]
    assert len(kept(Auto(model=model), f"{article}<ol class=list>{READERS.replace('class=comment', '')}</ol>")) == 5


def test_comments_are_dropped_below_a_heading_that_announces_them(model: str, kept: Kept) -> None:
    article = f"<h1>The oak</h1><p>{LONG}</p><p>{OTHER}</p>"
    unnamed = READERS.replace("class=comment", "").replace("<li", "<div").replace("</li", "</div")
    assert kept(Auto(model=model), f"{article}<h3>3 comments</h3>{unnamed}") == [LONG, OTHER]
    assert len(kept(Auto(model=model), f"{article}<h3>3 oaks</h3>{unnamed}")) == 5


def test_comments_are_kept_where_nothing_else_would_be_left(model: str, kept: Kept) -> None:
    assert len(kept(Auto(model=model), f"<h1>The oak</h1><ol class=commentlist>{READERS}</ol>")) == 3


def test_comments_are_dropped_from_no_thread_of_a_forum(model: str) -> None:
    html = f"<h1>The oak</h1><p>{LONG}</p><p>{OTHER}</p><ol class=commentlist>{READERS}</ol>"
    text = Auto(model=model)(Page.parse(html, "https://forum.example.org/1")).text
    assert text.count("is what this model takes for content") == 4


TWICE = f"<div><p>{LONG}</p><p>{OTHER}</p></div>" * 2
WHOLE: dict[str, tuple[dict[str, float], str, int, int]] = {
    "hidden": ({}, f"{ITEMS}{VEILED}{ITEMS}", 4, 0),
    "types": ({"list": 2.0, "article": -4.0}, CHAPTERS, 7, 1),
    "threads": ({"forum": 2.0, "product": -4.0}, POSTS, 4, 3),
    "comments": ({}, f"<p>{LONG}</p><p>{OTHER}</p><ol class=commentlist>{READERS}</ol>", 2, 5),
    "listings": ({}, f"<p>{LONG}</p><pre>fell the oak of the mill</pre><p>{OTHER}</p>", 3, 2),
    "units": ({}, f"<p>{OTHER}</p><table><tr><td>{LONG}<td>oak<tr><td>elm<td>{LONG}</table>", 5, 3),
    "copies": ({}, TWICE, 2, 4),
    "headline": ({}, f"<title>The oak of the mill</title><h1>The oak of the mill</h1>{ITEMS}<p>{LONG}</p>", 2, 1),
    "silence": ({}, ITEMS * 2, 0, 18),
}
"""For each step: what speaks for types, a page, and how many blocks are kept with the step and without it."""


def test_each_step_can_be_left_out_by_itself(tmp_path: Path, kept: Kept) -> None:
    assert set(WHOLE) == set(STEP_NAMES)
    for step, (types, page, with_it, without_it) in WHOLE.items():
        low = {"types": -1.5, "threads": -0.7, "hidden": -4.0, "silence": -6.0}.get(step, -2.5)
        model = typed(tmp_path / f"{step}.npz", low, **types)
        others = "+".join(sorted(set(STEP_NAMES) - {step}))
        counts = [len(kept(Auto(model=model, without=left), page)) for left in ("", others, step)]
        assert counts == [with_it, with_it, without_it], step


def test_documentation_keeps_more(tmp_path: Path) -> None:
    def model(kind: str) -> str:
        path = tmp_path / f"{kind}.npz"
        look = stump(features.NAMES.index("words"), 12.5, -1.2, 1.0)
        types = {kind: stump(0, -1.0, 0.0, 1.0), "other": stump(0, -1.0, 1.0, 0.0)}
        AutoModel({}, look, stump(features.COUNT, 0.5, -1.2, 1.0), types, ((0.0, 1.0), (0.0, 0.5))).save(path)
        return f"auto:model={path}"

    page = f"<p>{LONG}<p>A remark of nine words which are too few.<p>{OTHER}"
    kept = {kind: len(duramen.extract(page, method=model(kind)).text) for kind in ("article", "documentation")}
    assert kept["article"] < kept["documentation"]


@needs_model
def test_evidence_adds_no_more_words_than_the_page_gives() -> None:
    pictures = (f"<li class=picture><a href=/{i}>Picture {i} of the harbor and the bridge</a></li>" for i in range(40))
    series = "".join(pictures)
    story = "".join(f"<p>{i}. {LONG} {OTHER}</p>" for i in range(5))
    html = f"<title>The harbor</title><h1>The harbor</h1><article>{story}</article><ul class=related>{series}</ul>"
    page = Page.parse(f"{html}<p class=note>A note at the end, by the harbor master.</p>")
    alone = Auto().extract(page)
    assert "Picture" not in alone.text
    assert LONG in alone.text

    def extract(mark: str) -> Content:
        def raise_blocks(blocks: Blocks, probabilities: Floats, is_list: bool) -> Floats:
            return np.array([20.0 if mark in text else 0.0 for text in blocks.text])

        return Auto().extract(page, raise_blocks)

    assert "A note at the end" in extract("A note").text
    assert extract("Picture").text == alone.text
    assert extract("Picture 1 ").text != alone.text  # a few words are added
