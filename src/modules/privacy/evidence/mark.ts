/** Draws a frame around a place of a screenshot: what was pressed can be seen without touching the page. */
import { Resvg } from '@resvg/resvg-js'

export interface Mark {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const MARGIN = 4

/** PNG in, PNG out, same size. */
export const marked = (png: Buffer, size: { readonly width: number; readonly height: number }, mark: Mark): Buffer => {
  const { width, height } = size
  const [x, y] = [mark.x - MARGIN, mark.y - MARGIN]
  const [w, h] = [mark.width + 2 * MARGIN, mark.height + 2 * MARGIN]
  const shape = (stroke: string, weight: number) =>
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="4" fill="none" stroke="${stroke}" stroke-width="${weight}"/>`
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>` +
    `${shape('#ffffff', 7)}${shape('#d6006c', 4)}</svg>`
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
}
