"""Notes and references in the markup of generators."""

from __future__ import annotations

import pytest

from duramen.dom.tree import TEXT, Tree
from duramen.structure.notes import PageNotes, find_notes

NOTES = {
    "markdown": '<p>Text<sup id="fnref:1"><a href="#fn:1" class="footnote-ref">1</a></sup></p><div'
    ' class="footnotes"><hr>'
    '<ol><li id="fn:1"><p>Note.&#160;<a href="#fnref:1" class="footnote-backref">&#8617;</a></p></li></ol></div>',
    "wordpress": '<p>Text<sup class="footnote"><a href="#fn1" id="ref1">1</a></sup></p><hr><p id="fn1">'
    '<a href="#ref1">1</a> Note.</p>',
    "easy footnotes": '<p>Text<span id="easy-footnote-1-9" class="easy-footnote-margin-adjust"></span>'
    '<span class="easy-footnote"><a href="#easy-footnote-bottom-1-9"><sup>1</sup></a></span></p>'
    '<ol class="easy-footnotes-wrapper"><li class="easy-footnote-single"><span id="easy-footnote-bottom-1-9"></span>'
    'Note.<a class="easy-footnote-to-top" href="#easy-footnote-1-9"></a></li></ol>',
    "word": '<p>Text<a href="#_ftn1" name="_ftnref1">[1]</a></p><div><hr><div id="ftn1"><p class="MsoFootnoteText">'
    '<a href="#_ftnref1" name="_ftn1">[1]</a> Note.</p></div></div>',
    "word without anchors": '<p>Text<sup><a href="#_ftn1">[1]</a></sup></p><hr><p><sup><a'
    ' href="//x#_ftnref1">[1]</a></sup>'
    " Note.</p>",
    "epub": '<p>Text<a epub:type="noteref" href="#n1">1</a></p><aside epub:type="footnote" id="n1"><p>Note.</p>'
    "</aside>",
    "old sphinx": '<p>Text<a class="footnote-reference" href="#id2" id="id1">[1]</a></p><table class="docutils'
    ' footnote"'
    ' id="id2"><tbody><tr><td class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>Note.</td></tr></table>',
    "definition list": '<p>Text<a class="footnote-reference brackets" href="#id2" id="id1">1</a></p><dl'
    ' class="footnote">'
    '<dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt>'
    "<dd><p>Note.</p></dd></dl>",
    "texinfo": '<p>Text<a class="footnote" id="DOCF1" href="#FOOT1"><sup>1</sup></a></p><div class="footnotes-segment">'
    '<hr><h4 class="footnotes-heading">Footnotes</h4><h5><a id="FOOT1" href="#DOCF1">(1)</a></h5><p>Note.</p></div>',
    "zola": '<p>Text<sup class="footnote-reference"><a href="#1">1</a></sup></p><div class="footnote-definition"'
    ' id="1">'
    '<sup class="footnote-definition-label">1</sup><p>Note.</p></div>',
    "superscripts and a rule": "<p>Text<sup>1</sup></p><hr><p><sup>1</sup> Note.</p>",
    "superscripts in the text": '<p>Text<sup>1</sup></p><p class="footnote"><sup>1</sup>Note.</p>',
    "a space before the last mark": "<p>Text <sup>1</sup></p><h2>Notes</h2><p><sup>1</sup> Note.</p>",
    "bold labels": "<p>Text<sup>1</sup></p><hr><p><strong>1</strong> Note.</p>",
    "labels in brackets and a link": "<p>Text<sup>[1]</sup></p><hr><p>[1] <a href='/n'>Note.</a></p>",
    "ordered list in an aside": "<p>Text<sup>1</sup></p><aside><ol><li>Note.</li></ol></aside>",
    "ordered list of notes": '<p>Text<sup>1</sup></p><div class="footnotes"><ol><li><p>Note.</p></li></ol></div>',
    "hidden note in its mark": '<p>Text<span class="footnote">1<span style="display:none">Note.</span></span></p>',
    "anchors and breaks": '<p>Text<a href="#one"><sup>1</sup></a></p><p>And<a href="#two"><sup>2</sup></a></p><hr>'
    '<p><a name="one"><sup>1</sup></a> Note.<br><br><a name="two"><sup>2</sup></a> Second.</p>',
    "full address": '<p>Text<a class="footnote-anchor" id="footnote-anchor-1"'
    ' href="https://e.com/p#footnote-1">1</a></p>'
    '<div class="footnote"><a id="footnote-1" href="https://e.com/p#footnote-anchor-1" class="footnote-number">1</a>'
    '<div class="footnote-content"><p>Note.</p></div></div>',
    "list of references": '<p>Text <a href="#r1">[1]</a></p><h4>References and notes</h4><ol><li><a id="r1">'
    "</a>Note.</li>"
    "</ol>",
    "tufte": '<p>Text<label for="s1" class="margin-toggle sidenote-number"></label><input type="checkbox" id="s1"'
    ' class="margin-toggle"><span class="sidenote">Note.</span></p>',
    "org-mode": '<p>Text<label class="footref" for="f1">1</label><input id="f1" class="footref-toggle" type="checkbox">'
    '<span class="sidenote"><sup>1</sup> Note.</span></p>',
    "latexml": '<p>Text<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span'
    ' class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup>'
    '<span class="ltx_tag ltx_tag_note">1</span>Note.</span></span></span></p>',
}


def read(tree: Tree, notes: PageNotes) -> dict[str, str]:
    """The text of each note by its label."""
    return {
        note.label: " ".join("".join(tree.text[node] for span in note.spans for node in span).split())
        for note in notes.notes
    }


def read_rest(tree: Tree, notes: PageNotes) -> str:
    """The page as it is written: a mark for each reference, and nothing that is dropped."""
    pieces = []
    node = 0
    while node < len(tree):
        if node in notes.references:
            pieces.append(f"[^{notes.references[node]}]")
        elif node not in notes.dropped:
            pieces.append(tree.text[node] if tree.tag[node] == TEXT else "")
            node += 1
            continue
        node = tree.end[node]
    return "".join(pieces)


@pytest.mark.parametrize("name", NOTES)
def test_each_generator(name: str) -> None:
    tree = Tree.parse(f"<article><p>Intro.</p>{NOTES[name]}</article>")
    notes = find_notes(tree)
    two = name == "anchors and breaks"
    assert read(tree, notes) == ({"1": "Note.", "2": "Second."} if two else {"1": "Note."})
    assert read_rest(tree, notes).replace(" ", "") == ("Intro.Text[^1]And[^2]" if two else "Intro.Text[^1]")


@pytest.mark.parametrize(
    "html",
    [
        "<p>An area of x<sup>2</sup> and a note<sup>1</sup>.</p><p>1 Note.</p>",
        "<p>An area of 5 km<sup>2</sup>.</p><p><sup>2</sup> Note.</p>",
        "<p>10<sup>3</sup> meters.</p><p><sup>3</sup> Note.</p>",
        "<p><sup>1</sup> One thing. <sup>2</sup> And so on.</p><p><sup>1</sup> A verse.</p><p><sup>2</sup> B.</p>",
        "<p>Text<sup>1</sup></p><p><strong>1</strong> A list in the text.</p>",
        "<p>Text<sup>1</sup></p><aside><ol><li>Most read</li><li>Second</li></ol></aside>",
        "<p><sup>1</sup> Before its mark.</p><p>Text<sup>1</sup></p>",
        '<ul><li><a href="#s1">1</a></li><li><a href="#s2">2</a></li></ul><h2 id="s1">One</h2><p>a</p><h2'
        ' id="s2">Two</h2>',
        '<ol><li><a href="#s1">1</a></li></ol><section id="s1"><h2>One</h2><p>Text <a href="#top">↑</a></p></section>',
        '<p>Text<sup><a href="#fn1">1</a></sup></p><p>No target.</p>',
        '<div id="comment-7"><a href="#comment-7">7</a><p>A comment.</p></div>',
        '<p>Text <a href="#more">more</a></p><p id="more">Note.</p>',
        '<p><a href="#page2">2</a></p><div id="page2"><p>Another page of text.</p></div>',
        '<p>As shown by <a href="#bib.1" class="ltx_ref">[1]</a></p><ul><li id="bib.1" class="ltx_bibitem">Book'
        "</li></ul>",
    ],
)
def test_no_note(html: str) -> None:
    assert find_notes(Tree.parse(html)) == PageNotes({}, [], set())


def test_a_note_without_reference_stays_with_its_list() -> None:
    html = '<p>Text<sup><a href="#fn1">1</a></sup></p><h2>Notes</h2><ol class="footnotes"><li id="fn1">One.</li>'
    tree = Tree.parse(html + '<li id="fn2">Two.</li></ol>')
    notes = find_notes(tree)
    assert read(tree, notes) == {"1": "One."}
    assert "Two." in read_rest(tree, notes)
    assert [tree.tag[node] for node in sorted(notes.dropped)] == ["li"]


def test_notes_are_in_the_order_of_their_references() -> None:
    html = '<p>a<sup><a href="#n2">*</a></sup>b<sup><a href="#n1">a</a></sup>c<sup><a href="#n2">*</a></sup></p>'
    tree = Tree.parse(html + '<ol class="footnotes"><li id="n1">One.</li><li id="n2">Two.</li></ol>')
    notes = find_notes(tree)
    assert list(read(tree, notes).items()) == [("*", "Two."), ("a", "One.")]
    assert list(notes.references.values()) == ["*", "a", "*"]


def test_labels_are_made_unique() -> None:
    html = "".join(
        f'<p>x<sup><a href="#fn{n}">1</a></sup></p><p class="footnote" id="fn{n}">N{n}</p>' for n in range(3)
    )
    tree = Tree.parse(html)
    assert read(tree, find_notes(tree)) == {"1": "N0", "1-2": "N1", "1-3": "N2"}


def test_two_references_in_one_superscript() -> None:
    html = '<p>x<sup><a href="#fn1">1</a>,<a href="#fn2">2</a></sup></p><p id="fn1">One</p><p id="fn2">Two</p>'
    tree = Tree.parse(html)
    assert read_rest(tree, find_notes(tree)) == "x[^1],[^2]"


def test_a_note_may_have_several_paragraphs_and_links() -> None:
    html = '<p>x<sup id="r1"><a href="#fn1">1</a></sup>y<sup id="r2"><a href="#fn2">2</a></sup></p><p id="fn1">'
    html += '<a href="#r1">1</a> One, see <a href="#intro">the introduction</a>.</p><p>More.</p>'
    tree = Tree.parse(html + '<p id="fn2"><a href="#r2">2</a> Two.</p>')
    notes = find_notes(tree)
    assert read(tree, notes) == {"1": "One, see the introduction.More.", "2": "Two."}
    assert read_rest(tree, notes) == "x[^1]y[^2]"


def test_margin_notes_have_no_number() -> None:
    html = (
        '<p>a<label for="m" class="margin-toggle">&#8853;</label><input id="m" class="margin-toggle" type="checkbox">'
    )
    tree = Tree.parse(html + '<span class="marginnote">Aside.</span></p>')
    assert read(tree, find_notes(tree)) == {"*": "Aside."}


def test_a_side_note_that_repeats_a_listed_note_is_dropped() -> None:
    html = '<p>a<sup class="footnote-reference"><a href="#f1">1</a></sup><span class="sidenote">1. Note.</span> b</p>'
    tree = Tree.parse(html + '<div class="footnotes"><div class="footnote-definition" id="f1"><p>Note.</p></div></div>')
    notes = find_notes(tree)
    assert read_rest(tree, notes) == "a[^1] b"
    assert read(tree, notes) == {"1": "Note."}


def test_a_repeated_mark_of_latexml_refers_to_its_note() -> None:
    mark = '<sup class="ltx_note_mark">2</sup>'
    outer = '<span class="ltx_note_outer"><span class="ltx_note_content">{}</span></span>'
    html = f'<p>A<span class="ltx_note ltx_role_footnotemark">{mark}{outer.format(mark + "footnotemark: ")}</span></p>'
    html += f'<p>B<span class="ltx_note ltx_role_footnote">{mark}{outer.format(mark + "Note.")}</span></p>'
    tree = Tree.parse(html)
    notes = find_notes(tree)
    assert read_rest(tree, notes) == "A[^2]B[^2]"
    assert read(tree, notes) == {"2": "Note."}


def test_labels_without_links_may_be_used_again() -> None:
    html = "".join(f"<p>Text<sup>1</sup></p><p class=footnote><sup>1</sup> N{n}</p>" for n in range(3))
    tree = Tree.parse(html)
    assert read(tree, find_notes(tree)) == {"1": "N0", "1-2": "N1", "1-3": "N2"}


def test_a_bold_superscript_is_the_label_of_its_paragraph() -> None:
    tree = Tree.parse(
        "<p>Text<sup>1</sup></p><p>End.</p><p><b><sup>1</sup> In 2024:</b> more.</p><p><b>Update</b> x</p>"
    )
    notes = find_notes(tree)
    assert read(tree, notes) == {"1": "In 2024: more."}
    assert read_rest(tree, notes) == "Text[^1]End.Update x"
