/** What is drawn and read back, in pages and workers; fonts that are measured. */
import { wrap, wrapAccessor } from './natives.ts'
import { scope } from './scope.ts'
import { type AnyCanvas, added, type Drawn, type Used } from './uses.ts'

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

const canvases = new WeakMap<AnyCanvas, Drawn>()

/** What has been drawn on a canvas so far. */
export const drawnOn = (canvas: AnyCanvas): Drawn => {
  const drawn = canvases.get(canvas) ?? { text: new Set(), colours: new Set(), interactive: false }
  canvases.set(canvas, drawn)
  return drawn
}

const MOST_FONTS = 500

export const watchCanvas = (used: Used): void => {
  const read = (canvas: AnyCanvas, width: number, height: number): void => {
    if (!canvas || width < 16 || height < 16) return
    const drawn = drawnOn(canvas)
    used((use) => {
      if (use.reads.length < 10 && !use.reads.some((one) => one.drawn === drawn)) use.reads.push({ canvas, drawn })
      return true
    })
  }
  const measured = (font: string): void => used((use) => added(use.fonts, font, MOST_FONTS))
  for (const proto of [scope.CanvasRenderingContext2D?.prototype, scope.OffscreenCanvasRenderingContext2D?.prototype]) {
    watchDrawing(proto)
    wrap<Context>(proto, 'getImageData', ({ canvas }, [, , width, height]) =>
      read(canvas, Math.abs(Number(width)), Math.abs(Number(height))),
    )
    wrap<Context>(proto, 'measureText', ({ font }) => measured(font))
  }
  watchExports(read)
  wrapAccessor(scope.HTMLElement?.prototype, 'offsetWidth', {
    onGet: ({ style }) => {
      if (style.fontFamily) measured(style.fontFamily)
    },
  })
  wrap(scope.FontFaceSet?.prototype, 'check', (_, [font]) => measured(String(font)))
}

const watchDrawing = (proto: Context | undefined): void => {
  for (const key of ['fillText', 'strokeText'] as const)
    wrap<Context>(proto, key, ({ canvas }, [text]) => {
      const drawn = drawnOn(canvas)
      for (const one of String(text).slice(0, 200)) if (drawn.text.size < 100) drawn.text.add(one)
    })
  for (const key of ['save', 'restore'] as const)
    wrap<Context>(proto, key, ({ canvas }) => {
      drawnOn(canvas).interactive = true
    })
  for (const key of ['fillStyle', 'strokeStyle'])
    wrapAccessor<Context>(proto, key, {
      onSet: ({ canvas }, [colour]) => {
        const { colours } = drawnOn(canvas)
        if (typeof colour === 'string' && colours.size < 20) colours.add(colour)
      },
    })
}

const watchExports = (read: (canvas: AnyCanvas, width: number, height: number) => void): void => {
  const lossy = (type: unknown): boolean => /jpe?g|webp/i.test(String(type ?? ''))
  for (const key of ['toDataURL', 'toBlob'] as const) {
    wrap(scope.HTMLCanvasElement?.prototype, key, (canvas, given) => {
      if (!lossy(key === 'toBlob' ? given[1] : given[0])) read(canvas, canvas.width, canvas.height)
    })
  }
  wrap(scope.OffscreenCanvas?.prototype, 'convertToBlob', (canvas, [options]) => {
    if (!lossy((options as ImageEncodeOptions | undefined)?.type)) read(canvas, canvas.width, canvas.height)
  })
}
