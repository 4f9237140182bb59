"""Tables from the characters of MathML to TeX."""

from __future__ import annotations

import unicodedata
from typing import Final


def _read_table(lines: str) -> dict[str, str]:
    r"""Read pairs of a character and the name of its command: `α alpha` means `\alpha`."""
    words = lines.split()
    return {char: "\\" + name for char, name in zip(words[::2], words[1::2], strict=True)}


SYMBOLS: Final = {
    **_read_table(
        """
        α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa
        λ lambda μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi
        ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
        ∂ partial ∇ nabla ∆ Delta ∞ infty ℓ ell ℏ hbar ℎ hslash ℵ aleph ℘ wp ℜ Re ℑ Im ı imath ȷ jmath ∅ emptyset
        ⌀ varnothing ∀ forall ∃ exists ∄ nexists ¬ neg ⊤ top ⊥ perp ∠ angle △ triangle □ square ◻ square ■ blacksquare
        ◊ lozenge ♯ sharp ♭ flat ♮ natural ♣ clubsuit ♢ diamondsuit ♡ heartsuit ♠ spadesuit ✓ checkmark † dagger
        ‡ ddagger § S ¶ P ° circ ∎ blacksquare
        × times ÷ div ± pm ∓ mp · cdot ⋅ cdot ∗ ast ⋆ star ∘ circ ∙ bullet • bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash
        ⊙ odot ∧ wedge ∨ vee ∩ cap ∪ cup ⊎ uplus ⊓ sqcap ⊔ sqcup ∖ setminus ≀ wr ⋄ diamond ◇ diamond ⋉ ltimes ⋊ rtimes
        ≤ leq ≥ geq ⩽ leqslant ⩾ geqslant ≦ leqq ≧ geqq ≠ neq ≪ ll ≫ gg ≡ equiv ∼ sim ≃ simeq ≈ approx ≅ cong ∝ propto
        ≺ prec ≻ succ ⪯ preceq ⪰ succeq ≼ preccurlyeq ≽ succcurlyeq ≲ lesssim ≳ gtrsim ≍ asymp ≐ doteq ≜ triangleq
        ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊊ subsetneq ⊋ supsetneq ⊏ sqsubset ⊑ sqsubseteq
        ⊒ sqsupseteq ⊢ vdash ⊣ dashv ⊨ models ⊩ Vdash ∣ mid ∤ nmid  ∦ nparallel ⋈ bowtie ⊲ triangleleft
        ⊳ triangleright ⊴ trianglelefteq ≔ coloneqq
        → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⟶ longrightarrow ⟵ longleftarrow
        ⟷ longleftrightarrow ⟹ Longrightarrow ⟸ Longleftarrow ⟺ Longleftrightarrow ↦ mapsto ⟼ longmapsto
        ↪ hookrightarrow ↩ hookleftarrow ↑ uparrow ↓ downarrow ↕ updownarrow ⇑ Uparrow ⇓ Downarrow ↗ nearrow ↘ searrow
        ↙ swarrow ↖ nwarrow ⇀ rightharpoonup ↼ leftharpoonup ⇌ rightleftharpoons ↠ twoheadrightarrow ⇝ rightsquigarrow
        ↣ rightarrowtail ⊸ multimap ↾ upharpoonright
        … ldots ⋯ cdots ⋮ vdots ⋱ ddots ∴ therefore ∵ because
        ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋂ bigcap ⋃ bigcup ⨁ bigoplus ⨂ bigotimes ⨀ bigodot
        ⋀ bigwedge ⋁ bigvee ⨆ bigsqcup ⨄ biguplus
        ⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ | { { } }
        % % # # & & $ $ _ _ √ surd ℧ mho ð eth
        ⊮ nVdash ≁ nsim ≄ nsimeq ≇ ncong ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ⊈ nsubseteq ⟂ perp
        """
    ),
    "\\": "\\backslash",
    "∥": "\\|",
    "−": "-",
    "–": "-",
    "‐": "-",
    "∕": "/",
    "⁄": "/",
    "′": "'",
    "″": "''",
    "‴": "'''",
    "~": "\\sim",
    "^": "\\hat{}",
    "∶": ":",
    "≝": "\\stackrel{\\text{def}}{=}",
    "ℝ": "\\mathbb{R}",
    "ℂ": "\\mathbb{C}",
    "ℕ": "\\mathbb{N}",
    "ℤ": "\\mathbb{Z}",
    "ℚ": "\\mathbb{Q}",
    "ℙ": "\\mathbb{P}",
    "ℍ": "\\mathbb{H}",
    "ℒ": "\\mathcal{L}",
    "ℋ": "\\mathcal{H}",
    "ℱ": "\\mathcal{F}",
    "ℬ": "\\mathcal{B}",
    "ℰ": "\\mathcal{E}",
    "ℳ": "\\mathcal{M}",
    "ℛ": "\\mathcal{R}",
    "ℐ": "\\mathcal{I}",
    "⊄": "\\not\\subset",
    "\xa0": "\\ ",
    "\u2009": "\\,",
    "\u200a": "\\,",
    "\u205f": "\\:",
    "\u2003": "\\quad",
    "\u2002": "\\enspace",
    "\u2061": "",
    "\u2062": "",
    "\u2063": "",
    "\u2064": "",
    "\u200b": "",
    "\u2060": "",
    "\ufeff": "",
}

LARGE_OPERATORS: Final = frozenset(
    "\\sum \\prod \\coprod \\int \\iint \\iiint \\oint \\bigcap \\bigcup \\bigoplus \\bigotimes \\bigodot \\bigwedge"
    " \\bigvee \\bigsqcup \\biguplus \\lim \\limsup \\liminf \\max \\min \\sup \\inf \\det \\gcd \\Pr".split()
)
"""Operators whose limits stand below and above them, written with `_` and `^`."""

FUNCTIONS: Final = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup liminf max min sup inf"
    " det dim ker deg gcd hom arg Pr".split()
)

OVER_ACCENTS: Final = {
    **dict.fromkeys("^ˆ\u0302", "hat"),
    **dict.fromkeys("~˜∼\u0303", "tilde"),
    **dict.fromkeys("¯\u0304", "bar"),
    **dict.fromkeys("‾_―−", "overline"),
    **dict.fromkeys("→\u20d7", "vec"),
    **dict.fromkeys("˙.\u0307", "dot"),
    **dict.fromkeys(("¨", "..", "\u0308"), "ddot"),
    **dict.fromkeys(("⃛", "...", "\u20db"), "dddot"),
    **dict.fromkeys("ˇ\u030c", "check"),
    **dict.fromkeys("˘\u0306", "breve"),
    **dict.fromkeys("⏞︷", "overbrace"),
    "⟶": "overrightarrow",
    "←": "overleftarrow",
    "↔": "overleftrightarrow",
    "´": "acute",
    "`": "grave",
    "˚": "mathring",
}
UNDER_ACCENTS: Final = {
    **dict.fromkeys("_‾¯―−\u0332\u0331", "underline"),
    **dict.fromkeys("⏟︸", "underbrace"),
    "→": "underrightarrow",
    "←": "underleftarrow",
}

VARIANT_COMMANDS: Final = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "bold-script": "mathcal", "fraktur": "mathfrak",
    "bold-fraktur": "mathfrak", "sans-serif": "mathsf", "bold-sans-serif": "mathsf", "sans-serif-italic": "mathsf",
    "monospace": "mathtt", "bold-italic": "boldsymbol", "normal": "mathrm",
}  # fmt: skip

# The names of letters such as U+1D400, MATHEMATICAL BOLD CAPITAL A, by their second and third words.
_LETTER_COMMANDS: Final = (
    ("MATHEMATICAL BOLD ITALIC", "boldsymbol"),
    ("MATHEMATICAL BOLD SCRIPT", "mathcal"),
    ("MATHEMATICAL BOLD FRAKTUR", "mathfrak"),
    ("MATHEMATICAL BOLD", "mathbf"),
    ("MATHEMATICAL ITALIC", ""),
    ("MATHEMATICAL SCRIPT", "mathcal"),
    ("MATHEMATICAL FRAKTUR", "mathfrak"),
    ("MATHEMATICAL DOUBLE-STRUCK", "mathbb"),
    ("MATHEMATICAL SANS-SERIF", "mathsf"),
    ("MATHEMATICAL MONOSPACE", "mathtt"),
)


def find_symbol(char: str) -> str:
    """Return the TeX of one character outside text."""
    known = SYMBOLS.get(char)
    if known is not None:
        return known
    if "\U0001d400" <= char <= "\U0001d7ff":
        name = unicodedata.name(char, "")
        plain = unicodedata.normalize("NFKC", char)
        plain = SYMBOLS.get(plain, plain)
        command = next((command for start, command in _LETTER_COMMANDS if name.startswith(start)), "")
        if not command:
            return plain
        if plain.startswith("\\"):  # the alphabets of TeX have no Greek letters
            command = "boldsymbol" if "BOLD" in name else ""
        return f"\\{command}{{{plain}}}" if command else plain
    return char
