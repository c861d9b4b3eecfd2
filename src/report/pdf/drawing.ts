/**
 * Drawings straight in rules, boxes and operators of PDF (ISO 32000-1, 8.5): a package for them costs a report as much of the processor as all its
 * text. Lengths are millimetres, the origin is the lower left corner.
 */

/** Of a drawing: its size, and where its lower left corner lies. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly left?: number
  readonly bottom?: number
}

/** A box of that size that stands on the line of text; what is put beyond it takes no room. */
export const drawing = ({ width, height, left = 0, bottom = 0 }: Canvas, parts: readonly string[]): string =>
  `\\drawing{${fixed(width)}}{${fixed(height)}}{${fixed(-left)}}{${fixed(-bottom)}}{%\n${parts.filter((part) => part !== '').join('%\n')}}`

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const rectangle = (colour: string, { x, y, width, height }: Area): string =>
  `\\filled{${colour}}{${fixed(x)}}{${fixed(y)}}{${fixed(width)}}{${fixed(height)}}`

/** Where words stand: `across` and `up` say which part of their box lies there, from 0 (left, below) to 1 (right, above). */
export interface Place {
  readonly x: number
  readonly y: number
  readonly across?: number
  readonly up?: number
}

export const words = ({ x, y, across = 0, up = 0.5 }: Place, content: string): string =>
  `\\wordsat{${fixed(x)}}{${fixed(y)}}{${across}}{${up}}{${1 - up}}{${content}}`

/** Words in lines of that width. */
export const paragraph = (place: Place, width: number, content: string): string =>
  words(place, `\\parbox{${fixed(width)}mm}{\\RaggedRight\\parskip=0pt ${content}}`)

/** What a path is drawn with: `draw` is of `outline` and the like, one after the other. */
export const shape = (colour: string, ...draw: readonly string[]): string => `\\shape{${colour}}{${draw.join(' ')}}`

export interface Circle {
  readonly x: number
  readonly y: number
  readonly radius: number
}

/** How far the handles of a cubic curve lie along the tangent, so that four of them are a circle. */
const ROUND = 0.5523

/** `line`: its width. */
export const outline = (line: number, path: string): string => `${points(line)} w ${path} S`
export const fill = (path: string): string => `${path} f`
/** All that follows in the same shape shows within it alone. */
export const within = (path: string): string => `${path} W n`

export const circle = ({ x, y, radius }: Circle): string => {
  const at = (across: number, up: number): string => `${points(x + across * radius)} ${points(y + up * radius)}`
  const curve = (...[a, b, c, d, e, f]: readonly [number, number, number, number, number, number]): string =>
    `${at(a, b)} ${at(c, d)} ${at(e, f)} c`
  return [
    `${at(1, 0)} m`,
    curve(1, ROUND, ROUND, 1, 0, 1),
    curve(-ROUND, 1, -1, ROUND, -1, 0),
    curve(-1, -ROUND, -ROUND, -1, 0, -1),
    curve(ROUND, -1, 1, -ROUND, 1, 0),
    'h',
  ].join(' ')
}

export const line = (from: Pick<Place, 'x' | 'y'>, to: Pick<Place, 'x' | 'y'>): string =>
  `${points(from.x)} ${points(from.y)} m ${points(to.x)} ${points(to.y)} l`

export const box = ({ x, y, width, height }: Area): string =>
  `${points(x)} ${points(y)} ${points(width)} ${points(height)} re`

/** A square with its lower left corner in the origin. */
export const roundedSquare = (size: number, radius: number): string => {
  const inner = radius * (1 - ROUND)
  const far = size - radius
  const at = (...values: readonly number[]): string => values.map(points).join(' ')
  return [
    `${at(radius, 0)} m ${at(far, 0)} l ${at(size - inner, 0, size, inner, size, radius)} c`,
    `${at(size, far)} l ${at(size, size - inner, size - inner, size, far, size)} c`,
    `${at(radius, size)} l ${at(inner, size, 0, size - inner, 0, far)} c`,
    `${at(0, radius)} l ${at(0, inner, inner, 0, radius, 0)} c h`,
  ].join(' ')
}

/** Big points, as PDF counts them. */
const points = (millimetres: number): number => Number(((millimetres * 72) / 25.4).toFixed(3))
export const fixed = (value: number): number => Number(value.toFixed(2))

/** The commands that these use. */
export const DRAWING_COMMANDS = String.raw`
\newsavebox{\wordsbox}
\newcommand{\drawing}[5]{\leavevmode\hbox to #1mm{\vrule width 0pt height #2mm\rlap{\kern#3mm\raise#4mm\hbox{#5}}\hss}}
\newcommand{\filled}[5]{\rlap{\kern#2mm\raise#3mm\hbox{\color{#1}\vrule width #4mm height #5mm depth 0pt}}}
\newcommand{\wordsat}[6]{\setbox\wordsbox\hbox{{#6}}%
  \rlap{\kern#1mm\kern-#3\wd\wordsbox\raise\dimexpr#2mm-#4\ht\wordsbox+#5\dp\wordsbox\relax\copy\wordsbox}}
\newcommand{\shape}[2]{\rlap{\color{#1}\special{pdf:content #2}}}
`
