"""Callouts in the markup of generators."""

from __future__ import annotations

import pytest

from duramen.dom.tree import Tree
from duramen.structure.callouts import find_callouts

BEFORE = "<article><p>A paragraph of running text that stands before the box.</p>"
AFTER = "<p>Another paragraph that stands behind it.</p></article>"

CALLOUTS = {
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><svg></svg>Note</p><p>x'
    '</p></div>': (
        "note", "", "p",
    ),
    '<div class="theme-admonition theme-admonition-info alert alert--info"><div class="admonitionHeading_G"><span'
    ' class="admonitionIcon_R"><svg></svg></span>Good to know</div><div class="admonitionContent_B">x</div></div>': (
        "note", "Good to know", "div",
    ),
    '<div class="admonition danger"><p class="admonition-title">Danger</p><p>x</p></div>': ("caution", "", "p"),
    '<div class="admonition seealso"><p class="admonition-title">See also</p><p>x</p></div>': ("note", "See also", "p"),
    '<div class="admonition-my-title admonition"><p class="admonition-title">My title</p><p>x</p></div>': (
        "note", "My title", "p",
    ),
    '<div class="callout" data-callout="tip"><div class="callout-title"><div class="callout-title-inner">Try this</div>'
    '</div><div class="callout-content"><p>x</p></div></div>': ("tip", "Try this", "div"),
    '<div class="alert alert-warning" role="alert"><p>Do not touch the wire.</p></div>': ("warning", "", ""),
    '<div class="alert alert-info"><h4 class="alert-heading">Note:</h4>Pods have an address.</div>': ("note", "", "h4"),
    '<div class="alert alert-success"><strong><i class="fa"></i> Tip</strong><br>Use the other one.</div>': (
        "tip", "", "strong",
    ),
    '<div class="pageinfo pageinfo-primary"><p>This page is a draft.</p></div>': ("note", "", ""),
    '<blockquote class="hint hint-danger"><p>This removes all files.</p></blockquote>': ("caution", "", ""),
    '<div class="IMPORTANT"><p>Important</p><p>Save first.</p></div>': ("important", "", "p"),
    '<div class="alert is-info"><p class="alert-title"><span class="docon"></span> Note</p><p>x y z</p></div>': (
        "note", "", "p",
    ),
    '<div class="custom-block tip"><p class="custom-block-title">TIP</p><p>x y z</p></div>': ("tip", "", "p"),
    '<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Old</p>'
    '<span class="aui-icon"></span><div class="confluence-information-macro-body"><p>x</p></div></div>': (
        "warning", "Old", "p",
    ),
    '<div class="admonitionblock caution"><table><tr><td class="icon"><i class="fa icon-caution" title="Caution"></i>'
    '</td><td class="content">x</td></tr></table></div>': ("caution", "", "td"),
    '<div class="kg-card kg-callout-card kg-callout-card-red"><div class="kg-callout-emoji">🚨</div>'
    '<div class="kg-callout-text">x</div></div>': ("caution", "", "div"),
    '<figure class="block-color-gray callout" style="display:flex"><div style="font-size:1.5em"><span class="icon">💡'
    '</span></div><div style="width:100%">x y z</div></figure>': ("tip", "", "div"),
    '<div class="wp-block-acme-callout"><p>x y z</p></div>': ("note", "", ""),
    '<aside class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title">Caution</p><p>x'
    '</p></aside>': (
        "caution", "", "p",
    ),
    '<div class="notecard note"><p><strong>Note:</strong> x</p></div>': ("note", "", "strong"),
    '<div class="note"><h3 class="title">Note</h3><p>x</p></div>': ("note", "", "h3"),
    '<p class="tip">Words of a tip.</p>': ("tip", "", ""),
    '<p class="warn">Words of a warning.</p>': ("warning", "", ""),
    '<div class="warning"><p>Words of a warning.</p></div>': ("warning", "", ""),
    '<blockquote class="info"><p>Words of a note.</p></blockquote>': ("note", "", ""),
    '<blockquote class="callout callout_warn"><p>Words of a warning.</p></blockquote>': ("warning", "", ""),
    '<p class="notice--warning"><strong>Watch out!</strong> x y z</p>': ("warning", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("html", CALLOUTS)
def test_each_generator(html: str) -> None:
    tree = Tree.parse(BEFORE + html + AFTER)
    (callout,) = find_callouts(tree).values()
    title_tag = tree.tag[callout.title_node] if callout.title_node >= 0 else ""
    assert (callout.kind, callout.title, title_tag) == CALLOUTS[html]
    assert tree.tag[callout.node] == html[1:].split()[0]


@pytest.mark.parametrize(
    "html",
    [
        '<div class="alert">Text of a box.</div>',
        '<div class="alert alert-warning"><a href="#">×</a></div>',
        '<div class="alert alert-info alert-dismissible"><p>We use cookies on this site.</p></div>',
        '<div class="alert alert-info"><p>Subscribe to our letter.</p><form><input name="mail"></form></div>',
        '<div class="callout"><h2>Our services</h2><p>We sell things.</p></div>',
        '<div class="custom-block full-width"><h2>Related</h2><p>x y z</p></div>',
        '<div class="note"><p>A note on the margin.</p></div>',
        '<p class="note">Picture: the mill in winter.</p>',
        '<div class="tip"><p>Words of a tip.</p></div>',
        '<p class="tip lead">Words of a tip.</p>',
        '<div class="tip-jar"><p>Tip</p></div>',
        '<div class="hidden-alert-box"><p>Warning</p></div>',
    ],
)
def test_no_callout(html: str) -> None:
    assert find_callouts(Tree.parse(BEFORE + html + AFTER)) == {}


def test_an_alert_outside_running_text_is_no_callout() -> None:
    assert (
        find_callouts(Tree.parse('<div><div class="alert alert-warning">The shop is closed today.</div></div>')) == {}
    )
    header = '<header><p>A shop that has everything you may ever need.</p><div class="alert alert-info">a b c d'
    "</div></header>"
    assert find_callouts(Tree.parse(header)) == {}


def test_callouts_may_nest() -> None:
    inner = '<div class="admonition tip"><p class="admonition-title">Tip</p><p>x</p></div>'
    html = f'<div class="admonition note"><p class="admonition-title">Note</p><p>y</p>{inner}</div>'
    assert [callout.kind for callout in find_callouts(Tree.parse(html)).values()] == ["note", "tip"]
