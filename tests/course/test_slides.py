"""test_slides.py - slides come from the pages as they are, and what cannot be shown is said.

Depends on: common/reports/*.py common/proofs/checks/pictures.py tests/course/test_slides.py docs/02_*.md docs/pictures/style.css docs/results/h200/*argmax.svg
"""
import tempfile
import unittest
from pathlib import Path

import deck
import pages
import slides
from checks import pictures

LESSON = """# 7. Counting

It counts. Nobody else does.

## The idea

One sentence. And *another* one.

- **First.** Of `one` item.

| bin | count |
|---|---:|
| 0 | 7 |

## Predict

Write down your answers.

The text is long.

1. How many?
2. How
   fast?

<details><summary>Answers</summary>

1. Two.
2. Very,

       in code

</details>

## Find the bug

**1.** What is wrong?

```c
x++;
```

<details>
<summary>Answer</summary>

The type.

</details>

**2.** And here?

<details><summary>Answer</summary>

Nothing.

</details>
"""
SVG = """<svg xmlns='http://www.w3.org/2000/svg' class='ladder' role='img' viewBox='0 -20 100 80'>
<title>t</title>
<desc>d</desc>
<style>
{style}</style>
<text class='title' x='5' y='-5'>t</text>
{texts}
</svg>
"""


def section(name):
    return pages.blocks(dict(pages.sections(LESSON))[name])


def text_at(x, y, words="word", names="middle"):
    return f"<text class='{names}' x='{x}' y='{y}'>{words}</text>"


def picture(*texts):
    return SVG.format(style=Path(pictures.STYLE).read_text(), texts="\n".join(texts))


class Pages(unittest.TestCase):
    def test_a_slide_has_the_first_sentences(self):
        output = [block.inside[0][0].text for block in slides.bullets(section("The idea"))]
        self.assertEqual(output, ["One sentence.", "**First.** Of `one` item."])

    def test_a_question_knows_its_answer_and_what_is_given(self):
        question, answer = pages.questions(section("Predict"))[2]
        self.assertEqual([block.text for block in question], ["The text is long.", "How fast?"])
        self.assertEqual([block.kind for block in answer], ["text", "code"])

    def test_questions_with_an_answer_each(self):
        found = pages.questions(section("Find the bug"))
        self.assertEqual([block.kind for block in found[1][0]], ["text", "code"])
        self.assertEqual(found[2][1][0].text, "Nothing.")

    def test_code_stays_as_it_is_in_html(self):
        self.assertEqual(pages.as_html("**a `b*c*<d>`** and *e* ([f](g.md))"),
                         "<b>a <code>b*c*&lt;d&gt;</code></b> and <i>e</i> (f)")


class Slides(unittest.TestCase):
    def test_what_is_not_there_is_said_with_its_line(self):
        wrong, missing = [], ["- 99: title", "- plot nothing", "- 02: picture nothing", "- 02: Nothing",
                              "- 02: code TODO(9.9)", "- 02: Predict 99", "- what?"]
        slides.slides_of(("1", "T", 10, ["### Slides", "", *missing]), wrong)
        self.assertEqual([line.split(": ")[0] for line in wrong],
                         [f"docs/lectures.md:{number}" for number in range(12, 19)]
                         + ["docs/lectures.md:9"])

    def test_what_is_long_goes_on_the_next_slide(self):
        text = pages.Block("text", "word " * 100, [])
        made = slides.made("title", [text] * 5, [])
        self.assertGreater(len(made), 1)
        self.assertEqual(sum(len(slide.blocks) for slide in made), 5)
        self.assertTrue(all(deck.height(slide.blocks) <= deck.ROOM for slide in made))

    def test_what_fits_on_no_slide_is_refused(self):
        for block in (pages.Block("code", "line\n" * 60, []),
                      pages.Block("table", "", [["cell " * 60, "cell"]]),
                      pages.Block("text", "word " * 1000, [])):
            with self.assertRaises(slides.Missing):
                slides.made("title", [block], [])

    def test_pictures_of_one_page_have_names_of_their_own(self):
        with tempfile.TemporaryDirectory(dir="docs") as folder:
            path = Path(folder, "a.svg")
            path.write_text("<?xml?>\n<svg width='5' id='x' height='6' viewBox='0 0 5 6'>"
                            "<g id='a'/><use href='#a'/><path marker-end='url(#a)'/></svg>")
            self.assertEqual(deck.svg_of(path.relative_to("docs"), "p-"),
                             "<svg id='x' viewBox='0 0 5 6'><g id='p-a'/><use href='#p-a'/>"
                             "<path marker-end='url(#p-a)'/></svg>")


class Pictures(unittest.TestCase):
    def test_a_right_one_passes(self):
        self.assertEqual(pictures.wrong_picture(picture(text_at(50, 20), text_at(50, 40))), [])

    def test_texts_that_touch_or_leave_are_told(self):
        self.assertEqual(pictures.wrong_picture(picture(text_at(50, 20), text_at(60, 25, "other"))),
                         ['"word" touches "other"'])
        self.assertEqual(pictures.wrong_picture(picture(text_at(5, 20))),
                         ['"word" leaves the picture'])

    def test_a_group_moves_its_texts(self):
        moved = "<g transform='translate(0 20)'>" + text_at(50, 20) + "</g>"
        self.assertEqual(pictures.wrong_picture(picture(text_at(50, 20), moved)), [])
        self.assertIn("turned or scaled",
                      pictures.wrong_picture(picture(moved.replace("translate(0 20)", "scale(2)")))[0])

    def test_a_rule_for_all_of_a_page_is_told(self):
        style = Path(pictures.STYLE).read_text()
        self.assertEqual(pictures.wrong_style(style), [])
        self.assertEqual(pictures.wrong_style(style + "  text { fill: red; }\n"),
                         ["text is not only of pictures"])

    def test_another_style_is_told(self):
        text = picture(text_at(50, 20, names="huge"), "<rect fill='#fff'/>")
        self.assertEqual(pictures.wrong_picture(text), ["the style has no class huge",
                                                        "<rect> has a fill of its own"])
        self.assertIn("to the letter", pictures.wrong_picture(text.replace("14px", "15px"))[0])
        self.assertIn("stand above it", pictures.wrong_picture(text.replace("'title'", "'strong'"))[0])
        self.assertIn("it has no <desc>", pictures.wrong_picture(
            picture(text_at(50, 20)).replace("<desc>d</desc>", "")))


class Plots(unittest.TestCase):
    PLOT = Path("docs/results/h200/reduce-by-index-argmax.svg").read_text()

    def findings(self, old, new, count=-1):
        self.assertIn(old, self.PLOT)
        return pictures.wrong_plot(self.PLOT.replace(old, new, count))

    def test_a_right_one_passes(self):
        self.assertEqual(pictures.wrong_plot(self.PLOT), [])

    def test_a_panel_that_does_not_say_what_it_shows_is_told(self):
        self.assertEqual(self.findings("<text>stride63 keys</text>", "<desc/>"), ["panel 2 has no title"])

    def test_axes_without_labels_are_told(self):
        self.assertEqual(self.findings("<text>bins</text>", "<desc/>", 1), ["panel 1 has no label at its horizontal axis"])
        self.assertEqual(self.findings("<text>ms: lower is faster</text>", "<desc/>"),
                         [f"panel {panel} has no label at its vertical axis" for panel in (1, 2)])

    def test_a_curve_that_the_legend_leaves_out_is_told(self):
        output, = self.findings("<text>29_choosing</text>", "<desc/>")
        self.assertRegex(output, r"a curve of the color .* is not in the legend")

    def test_small_letters_are_told(self):
        self.assertEqual(self.findings('font-size="14.00"', 'font-size="12.00"'),
                         ["its letters are lower than 7 where it is 400 wide"])
