/* The colours of all pictures. In greyscale they are told apart by their lightness, 0 (black) to
 * 100, which is given; neighbours in a figure differ in dash and marker as well. */
#ifndef WEIR_FIGURE_COLOURS_H
#define WEIR_FIGURE_COLOURS_H

#define COLOUR_INK    "#1c2733" /* 15 */
#define COLOUR_NAVY   "#0b2f6b" /* 21 */
#define COLOUR_WINE   "#6b1f4a" /* 26 */
#define COLOUR_PINE   "#1f5c3f" /* 35 */
#define COLOUR_BLUE   "#2467b0" /* 43 */
#define COLOUR_OLIVE  "#7a6510" /* 43 */
#define COLOUR_PLUM   "#b5467e" /* 47 */
#define COLOUR_BROWN  "#8a6d3b" /* 48 */
#define COLOUR_RED    "#d1414b" /* 49 */
#define COLOUR_GREY   "#7d8894" /* 56 */
#define COLOUR_GREEN  "#3d9970" /* 57 */
#define COLOUR_TEAL   "#3aa6a0" /* 62 */
#define COLOUR_PINK   "#e08fb8" /* 69 */
#define COLOUR_SKY    "#7fb3e0" /* 71 */
#define COLOUR_ORANGE "#f2a03d" /* 72 */
#define COLOUR_YELLOW "#d9c25c" /* 79 */
#define COLOUR_MIST   "#c3ccd8" /* 82 */
#define COLOUR_PALE   "#d3dae3" /* 87 */

#endif
