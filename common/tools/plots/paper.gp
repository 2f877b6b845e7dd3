# paper.gp - the paper of all plots: what is one in all of them, and how a plot is finished.
#
# load "common/tools/plots/paper.gp"
# A plot is transparent. Its text and its axes have the color of the page: dark on light paper, light
# on dark paper, by the system's setting or by the switch of a page into which it is pasted. A chapter
# has one color and one mark in all plots, by its number.
ink = "#1f2328" # finish() puts the color of the page in its place
set border 3 lc rgb ink
set key outside bottom center horizontal height 1 samplen 2 width -4 tc rgb ink
set xtics nomirror tc rgb ink
set ytics nomirror tc rgb ink
set grid ytics lc rgb ink lw 0.2
colors = "#4c8dca #5aa469 #c9a227 #b0687f #3fa7a0 #8a7fd0 #c77d3a #7a9a3a #5f7f9f #b565b5 #4fa3d9 #9c7a55 #6fb58a #c05f5f #7f8fa6 #a8963c"
marks = "5 7 9 11 13 4 6 8 10 12 14 1 2 3"
color(chapter) = word(colors, chapter % words(colors) + 1)
mark(chapter) = 0 + word(marks, chapter % words(marks) + 1)
digit(it) = strstrt("0123456789", it) - 1
number_of(stem) = 10 * digit(stem[1:1]) + digit(stem[2:2]) # "08" would be octal
reading = "#d9694a"
library = "#a678c0"
bars = "#4c8dca"

# The plot that was written to `file` gets a title and a text equivalent; neither may hold | & ' or ".
page_color = "  svg.ladder-plot { color: #1f2328; }\\n  @media screen and (prefers-color-scheme: dark) { svg.ladder-plot { color: #e6edf3; } }\\n  @media screen {\\n    :root[data-theme=light] svg.ladder-plot { color: #1f2328; }\\n    :root[data-theme=dark] svg.ladder-plot { color: #e6edf3; }\\n  }\\n"
replace(old, new) = " -e 's|".old."|".new."|g'"
finish(file, title, words) = system("sed -i".replace("^ viewBox", " role=\"img\" class=\"ladder-plot\" viewBox").replace("<title>Gnuplot</title>", "<title>".title."</title>").replace("<desc>Produced by.*", "<desc>".words."</desc>\\n<style>\\n".page_color."</style>").replace("<g fill=\"none\" color=\"[a-z]*\"", "<g fill=\"none\"").replace("rgb( *31, *35, *40)", "currentColor")." ".file)
