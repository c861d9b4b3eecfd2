/** Reads an SVG from standard input and writes it as a PNG; run by `logo.ts`. */
import { buffer } from 'node:stream/consumers'
import { Resvg } from '@resvg/resvg-js'

const WIDTH = 1200

const svg = await buffer(process.stdin)
const drawing = new Resvg(svg, { fitTo: { mode: 'width', value: WIDTH }, font: { loadSystemFonts: true } })
if (drawing.height * (WIDTH / drawing.width) > 4 * WIDTH) throw new Error('The drawing is too high for a logo')
process.stdout.write(drawing.render().asPng())
