/** WebGL and audio. */
import { wrap } from './natives.ts'
import { scope } from './scope.ts'
import type { Use, Used } from './uses.ts'

/** Constants of WEBGL_debug_renderer_info. */
const RENDERER = 37_446
const VENDOR = 37_445

export const watchGraphics = (used: Used): void => {
  const change = (work: (webgl: NonNullable<Use['webgl']>) => boolean): void =>
    used((use) => {
      use.webgl ??= { parameters: new Set(), pixels: false, renderer: false }
      return work(use.webgl)
    })
  type Context = WebGLRenderingContext | WebGL2RenderingContext
  for (const proto of [scope.WebGLRenderingContext?.prototype, scope.WebGL2RenderingContext?.prototype]) {
    wrap<Context>(proto, 'getParameter', (_, [parameter]) =>
      change((webgl) => {
        if (webgl.parameters.has(parameter)) return false
        webgl.parameters.add(parameter)
        webgl.renderer ||= parameter === RENDERER || parameter === VENDOR
        return true
      }),
    )
    for (const key of ['getShaderPrecisionFormat', 'getSupportedExtensions', 'getContextAttributes'] as const)
      wrap<Context>(proto, key, (_, given) =>
        change((webgl) => {
          webgl.parameters.add(key + given.join())
          return true
        }),
      )
    wrap<Context>(proto, 'readPixels', () =>
      change((webgl) => {
        webgl.pixels = true
        return true
      }),
    )
  }
}

export const watchSound = (used: Used): void => {
  let offline = false
  const change = (work: (audio: NonNullable<Use['audio']>) => void): void =>
    used((use) => {
      use.audio ??= { offline, read: false }
      work(use.audio)
      return true
    })
  wrap(scope.OfflineAudioContext?.prototype, 'startRendering', () => {
    offline = true
    change((audio) => {
      audio.offline = true
    })
  })
  for (const key of ['getChannelData', 'copyFromChannel'] as const)
    wrap(scope.AudioBuffer?.prototype, key, () => {
      if (offline)
        change((audio) => {
          audio.read = true
          audio.offline = true
        })
    })
}
