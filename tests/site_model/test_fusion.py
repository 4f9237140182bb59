"""Wrappers as evidence for `auto`, and their comparison with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.wrappers.sample_site import html, page, site

import duramen
from duramen import Page
from duramen.errors import UsageError
from duramen.site_model.comparison import PageComparison, WrapperComparison, compare_with_auto


def test_a_fused_wrapper_keeps_the_article_and_says_why() -> None:
    wrapper = duramen.learn(site(4))
    content = wrapper.extract(page(5))
    assert content.method == "wrapper"
    assert "as evidence for auto" in content.reason
    assert content.text.count("The glacier has its") == 16
    assert "Copyright" not in content.text


def test_a_page_that_does_not_fit_is_extracted_by_auto() -> None:
    bare = replace(duramen.learn(site(4)), site_model="")
    redesigned = Page.parse(html(5).replace('id="main" class="story"', 'id="x"'))
    content = bare.extract(redesigned)
    assert content.spans == duramen.extract(redesigned).spans
    assert content.method == "auto"
    assert content.reason.startswith("the page does not fit the wrapper")


def test_exact_modes_are_as_before() -> None:
    wrapper = duramen.learn(site(4))
    assert wrapper(page(5)).spans == wrapper.extract(page(5), mode="exact").spans
    with pytest.raises(UsageError, match="mode is fused or exact"):
        wrapper.extract(page(5), mode="both")
    with pytest.raises(UsageError, match="for the mode exact"):
        wrapper.extract(page(5), mode="fused", fallback=duramen.methods.get("econ"))


def test_a_wrapper_file_keeps_the_site_model(tmp_path: object) -> None:
    path = f"{tmp_path}/w.json"
    wrapper = duramen.learn(site(4))
    wrapper.save(path)
    read = duramen.load_wrapper(path)
    assert isinstance(read, duramen.Wrapper)
    assert read == wrapper
    assert read.extract(page(5)).spans == wrapper.extract(page(5)).spans


def test_one_page_is_learned_through_the_same_fusion() -> None:
    wrapper = duramen.learn([page(0)])
    content = wrapper.extract(page(1))
    assert content.text.count("The volcano has its") == 16
    assert "one page" in content.reason


@pytest.mark.parametrize("site_model", [True, False])
def test_the_explanation_shows_the_region_of_the_wrapper(site_model: bool) -> None:
    wrapper = duramen.learn(site(4))
    wrapper = wrapper if site_model else replace(wrapper, site_model="")
    blocks = wrapper.extract(page(5)).explain().blocks
    article = next(block for block in blocks if block.text.startswith("The glacier has its"))
    assert "the wrapper keeps it" in [one.phrase for one in article.supporting]
    foot = next(block for block in blocks if block.text.startswith("Copyright"))
    assert "the wrapper does not keep it" in [one.phrase for one in foot.opposing]


def test_a_redesign_does_not_fit_although_the_xpath_selects_something() -> None:
    wrapper = duramen.learn(site(4))
    assert wrapper.fits(page(5))
    redesigned = html(5).replace("<body>", "<body><div class=new-shell><div class=new-column>")
    redesigned = redesigned.replace('id="nav"', 'id="top-menu"').replace('id="foot"', 'id="legal"')
    assert wrapper.find_region(Page.parse(redesigned).tree)
    assert not wrapper.fits(Page.parse(redesigned))


def test_the_comparison_counts_what_each_would_lose() -> None:
    wrapper = duramen.learn(site(4))
    comparison = compare_with_auto(wrapper, [(str(topic), page(topic)) for topic in range(4)])
    assert comparison.agreement > 0.95
    assert comparison.recommendation == "exact"
    assert "can be used without duramen" in comparison.describe()[-1]


def test_disagreement_few_pages_and_unfit_pages_recommend_the_fusion() -> None:
    same, other = PageComparison("a", 100, 0, 0), PageComparison("b", 10, 40, 50)
    assert WrapperComparison((same, same), 0).recommendation == "fused"
    assert WrapperComparison((same, same, same), 1).recommendation == "fused"
    assert WrapperComparison((same, same, other), 0).recommendation == "fused"
    assert "least on b: 18%" in WrapperComparison((same, same, other), 0).describe()[1]
    assert WrapperComparison((), 0).describe() == ["no page to compare with auto"]


def test_a_data_table_is_kept_with_the_names_of_its_rows() -> None:
    folder = Path(__file__).parents[1] / "sites_pages" / "museum"
    pages = [path.read_bytes() for path in sorted(folder.glob("*.html"))]
    wrapper = duramen.learn(pages[:4])
    assert "Accession number" not in wrapper.extract(pages[4], mode="exact").text  # it repeats on the other pages
    assert "Date\t1823\nAccession number\t1990.455" in wrapper.extract(pages[4]).text
