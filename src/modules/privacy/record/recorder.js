/**
 * Runs inside pages, frames and workers before their first script, and tells what they do that the network does not show.
 * It stands alone: its text is sent to the browser. What it tells is never trusted, a page can forge it.
 *
 * `name`: in a page the binding to tell by, in a worker the channel that a page of the same origin listens to.
 */
// biome-ignore lint/correctness/noUnusedVariables: called by the text that is put around it
function record(name, isWorker) {
  const scope = globalThis
  const realm = Math.random().toString(36).slice(2)
  const NativeError = scope.Error
  const later = scope.setTimeout.bind(scope)
  const MOST = 3000
  let told = 0

  // ---- telling

  const binding = isWorker ? null : scope[name]
  const channel = openChannel()
  const tell = (message) => {
    told += 1
    if (told > MOST) return
    const text = JSON.stringify({ ...message, realm, seq: told, worker: isWorker, at: Date.now() })
    if (isWorker) channel?.postMessage(text)
    else if (binding) binding(text)
  }
  if (!isWorker) delete scope[name]
  if (!isWorker && channel) {
    channel.onmessage = ({ data }) => {
      if (typeof data === 'string' && data.length < 20_000 && binding) binding(data)
    }
  }

  function openChannel() {
    try {
      return new scope.BroadcastChannel(name)
    } catch {
      return null // Some documents have no origin to share it with.
    }
  }

  const stackNow = () => {
    const { stackTraceLimit, prepareStackTrace } = NativeError
    NativeError.stackTraceLimit = 30
    NativeError.prepareStackTrace = undefined
    const stack = String(new NativeError().stack)
    NativeError.stackTraceLimit = stackTraceLimit
    NativeError.prepareStackTrace = prepareStackTrace
    return stack
  }
  /** Address of the innermost script that is running and is not this one. */
  const scriptOf = (stack = stackNow()) =>
    (/(?:https?|blob|data|file):[^\s)]+?(?=:\d+:\d+\)?\s*$)/m.exec(stack)?.[0] ?? '').slice(0, 500)
  /** Functions and places of the page's scripts, the innermost first. */
  const framesOf = (stack) =>
    stack
      .split('\n')
      .filter((line) => /(?:https?|blob|data):/.test(line))
      .map((line) => line.trim().slice(0, 300))
      .slice(0, 8)

  /** A Proxy, so that the page sees the native function with all its properties. */
  const wrap = (owner, key, before) => {
    const native = owner?.[key]
    if (typeof native !== 'function') return
    const wrapped = new Proxy(native, {
      apply: (target, self, args) => {
        quietly(() => before(self, args))
        return Reflect.apply(target, self, args)
      },
    })
    quietly(() => Object.defineProperty(owner, key, { ...Object.getOwnPropertyDescriptor(owner, key), value: wrapped }))
  }
  const wrapAccessor = (owner, key, { onGet, onSet }) => {
    const given = owner && Object.getOwnPropertyDescriptor(owner, key)
    if (!given?.configurable || !given.get) return
    const proxied = (native, before) =>
      native &&
      new Proxy(native, {
        apply: (target, self, args) => {
          quietly(() => before?.(self, args))
          return Reflect.apply(target, self, args)
        },
      })
    Object.defineProperty(owner, key, { ...given, get: proxied(given.get, onGet), set: proxied(given.set, onSet) })
  }
  /** Whatever goes wrong here must not reach the page. */
  const quietly = (work) => {
    try {
      work()
    } catch (error) {
      told += error ? 1 : 0
    }
  }

  // ---- what each script uses

  const uses = new Map()
  let waiting = false
  const flush = () => {
    waiting = false
    for (const [script, use] of uses) if (use.dirty) summarise(script, use)
  }
  const used = (change) => {
    const script = scriptOf()
    let use = uses.get(script)
    if (!use) {
      if (uses.size >= 100) return
      use = { reads: [], fonts: new Set(), webgl: null, audio: null, properties: new Set(), keys: 0 }
      uses.set(script, use)
    }
    if (change(use) === false) return
    use.dirty = true
    if (!waiting) {
      waiting = true
      later(flush, 150)
    }
  }
  const summarise = (script, use) => {
    use.dirty = false
    const best = use.reads
      .map(({ canvas, drawn }) => ({
        width: canvas.width,
        height: canvas.height,
        textLength: drawn.text.size,
        colours: drawn.colours.size,
        readBack: true,
        interactive: drawn.interactive,
      }))
      .sort((a, b) => a.interactive - b.interactive || b.textLength - a.textLength || b.colours - a.colours)[0]
    tell({
      kind: 'use',
      script,
      canvas: best ?? null,
      fonts: use.fonts.size,
      webgl: use.webgl && { ...use.webgl, parameters: use.webgl.parameters.size },
      audio: use.audio,
      properties: [...use.properties],
      keys: use.keys,
    })
  }

  // ---- canvas, in pages and workers

  const canvases = new WeakMap()
  const drawnOn = (canvas) => {
    let drawn = canvases.get(canvas)
    if (!drawn) {
      drawn = { text: new Set(), colours: new Set(), interactive: false }
      canvases.set(canvas, drawn)
    }
    return drawn
  }
  const read = (canvas, width, height) => {
    if (!canvas || width < 16 || height < 16) return
    const drawn = drawnOn(canvas)
    used((use) => {
      if (use.reads.length >= 10 || use.reads.some((one) => one.drawn === drawn)) return
      use.reads.push({ canvas, drawn })
    })
  }
  const lossy = (type) => /jpe?g|webp/i.test(String(type ?? ''))
  for (const contextName of ['CanvasRenderingContext2D', 'OffscreenCanvasRenderingContext2D']) {
    const proto = scope[contextName]?.prototype
    const write = ({ canvas }, [text]) => {
      const drawn = drawnOn(canvas)
      for (const one of String(text).slice(0, 200)) if (drawn.text.size < 100) drawn.text.add(one)
    }
    wrap(proto, 'fillText', write)
    wrap(proto, 'strokeText', write)
    for (const key of ['save', 'restore'])
      wrap(proto, key, ({ canvas }) => {
        drawnOn(canvas).interactive = true
      })
    for (const key of ['fillStyle', 'strokeStyle'])
      wrapAccessor(proto, key, {
        onSet: ({ canvas }, [colour]) => {
          const { colours } = drawnOn(canvas)
          if (typeof colour === 'string' && colours.size < 20) colours.add(colour)
        },
      })
    wrap(proto, 'getImageData', ({ canvas }, [, , width, height]) => read(canvas, Math.abs(width), Math.abs(height)))
    wrap(proto, 'measureText', (context) => {
      const { font } = context
      used((use) => (use.fonts.has(font) ? false : use.fonts.size < 500 && use.fonts.add(font)))
    })
  }
  for (const key of ['toDataURL', 'toBlob']) {
    wrap(scope.HTMLCanvasElement?.prototype, key, (canvas, args) => {
      if (!lossy(key === 'toBlob' ? args[1] : args[0])) read(canvas, canvas.width, canvas.height)
    })
  }
  wrap(scope.OffscreenCanvas?.prototype, 'convertToBlob', (canvas, [options]) => {
    if (!lossy(options?.type)) read(canvas, canvas.width, canvas.height)
  })
  wrapAccessor(scope.HTMLElement?.prototype, 'offsetWidth', {
    onGet: ({ style }) => {
      const family = style.fontFamily
      if (family) used((use) => (use.fonts.has(family) ? false : use.fonts.size < 500 && use.fonts.add(family)))
    },
  })
  wrap(scope.FontFaceSet?.prototype, 'check', (_, [font]) => used((use) => void use.fonts.add(String(font))))

  // ---- WebGL and audio

  const RENDERER = 37_446
  const VENDOR = 37_445
  const webgl = (change) =>
    used((use) => {
      use.webgl ??= { parameters: new Set(), pixels: false, renderer: false }
      return change(use.webgl)
    })
  for (const contextName of ['WebGLRenderingContext', 'WebGL2RenderingContext']) {
    const proto = scope[contextName]?.prototype
    wrap(proto, 'getParameter', (_, [parameter]) =>
      webgl((gl) => {
        if (gl.parameters.has(parameter)) return false
        gl.parameters.add(parameter)
        gl.renderer ||= parameter === RENDERER || parameter === VENDOR
      }),
    )
    for (const key of ['getShaderPrecisionFormat', 'getSupportedExtensions', 'getContextAttributes'])
      wrap(proto, key, (_, args) =>
        webgl((gl) => {
          gl.parameters.add(key + args.join())
        }),
      )
    wrap(proto, 'readPixels', () =>
      webgl((gl) => {
        gl.pixels = true
      }),
    )
  }
  let offline = false
  const audio = (change) =>
    used((use) => {
      use.audio ??= { offline, read: false }
      change(use.audio)
    })
  wrap(scope.OfflineAudioContext?.prototype, 'startRendering', () => {
    offline = true
    audio((use) => {
      use.offline = true
    })
  })
  for (const key of ['getChannelData', 'copyFromChannel'])
    wrap(scope.AudioBuffer?.prototype, key, () => {
      if (offline)
        audio((use) => {
          use.read = true
          use.offline = true
        })
    })

  // ---- properties that differ between browsers

  const property = (label) => used((use) => (use.properties.has(label) ? false : use.properties.add(label)))
  const watched = [
    [
      scope.Navigator?.prototype ?? scope.WorkerNavigator?.prototype,
      'navigator',
      'platform language languages hardwareConcurrency deviceMemory maxTouchPoints plugins mimeTypes doNotTrack vendor productSub appVersion pdfViewerEnabled connection webdriver userAgentData oscpu cookieEnabled',
    ],
    [scope.Screen?.prototype, 'screen', 'width height availWidth availHeight colorDepth pixelDepth orientation'],
    [scope, 'window', 'devicePixelRatio outerWidth outerHeight screenX screenY'],
    [scope.Performance?.prototype, 'performance', 'memory'],
  ]
  for (const [owner, label, keys] of watched)
    for (const key of keys.split(' ')) wrapAccessor(owner, key, { onGet: () => property(`${label}.${key}`) })
  const asked = [
    [scope.Navigator?.prototype, 'getBattery'],
    [scope.NavigatorUAData?.prototype, 'getHighEntropyValues'],
    [scope.MediaDevices?.prototype, 'enumerateDevices'],
    [scope.StorageManager?.prototype, 'estimate'],
    [scope.Permissions?.prototype, 'query'],
    [scope.SpeechSynthesis?.prototype, 'getVoices'],
    [scope.Intl?.DateTimeFormat?.prototype, 'resolvedOptions'],
    [scope.Date?.prototype, 'getTimezoneOffset'],
    [scope.Keyboard?.prototype, 'getLayoutMap'],
    [scope.RTCPeerConnection?.prototype, 'createOffer'],
  ]
  for (const [owner, key] of asked) wrap(owner, key, () => property(key))

  // ---- storage

  const text = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 256)
  const stored = (store, key, value) => tell({ kind: 'storage', store, key, value: text(value), script: scriptOf() })
  wrap(scope.Storage?.prototype, 'setItem', (self, [key, value]) =>
    stored(self === scope.localStorage ? 'localStorage' : 'sessionStorage', String(key).slice(0, 200), String(value)),
  )
  for (const key of ['put', 'add'])
    wrap(scope.IDBObjectStore?.prototype, key, ({ transaction, name: store }, [value, id]) =>
      stored('indexedDB', `${transaction.db.name}/${store}/${text(id ?? '')}`.slice(0, 200), value),
    )
  const cookie = (line) => {
    const stack = stackNow()
    const name = String(line).split('=')[0].trim().slice(0, 200)
    tell({ kind: 'cookie', name, script: scriptOf(stack), stack: framesOf(stack) })
  }
  wrapAccessor(scope.Document?.prototype, 'cookie', { onSet: (_, [line]) => cookie(line) })
  wrap(scope.CookieStore?.prototype, 'set', (_, [given]) => cookie(given?.name ?? given))

  // ---- what is sent

  const sent = (channel, url, body) => {
    const say = (data) =>
      tell({ kind: 'sent', channel, url: String(url).slice(0, 2048), body: String(data).slice(0, 8192), script })
    const script = scriptOf()
    if (body instanceof (scope.Blob ?? Map)) void body.text().then(say)
    else if (scope.ArrayBuffer.isView(body) || body instanceof scope.ArrayBuffer)
      say(new scope.TextDecoder().decode(body))
    else if (body instanceof (scope.FormData ?? Map)) say(new scope.URLSearchParams(body))
    else say(body ?? '')
  }
  wrap(scope.Navigator?.prototype, 'sendBeacon', (_, [url, body]) =>
    sent('beacon', new scope.URL(url, scope.location.href), body),
  )
  wrap(scope.WebSocket?.prototype, 'send', (self, [data]) => sent('websocket', self.url, data))
  const construct = (key, onCall) => {
    const native = scope[key]
    if (typeof native !== 'function') return
    scope[key] = new Proxy(native, {
      construct: (target, args, as) => Reflect.construct(target, onCall(args) ?? args, as),
    })
  }
  construct('WebSocket', ([url]) => {
    quietly(() => tell({ kind: 'socket', url: String(new scope.URL(url, scope.location.href)), script: scriptOf() }))
    return null
  })

  // ---- workers made of text: the others get this script from the proxy

  const blobs = new Map()
  const prefix = `(${record})(${JSON.stringify(name)},true);`
  const nativeObjectUrl = scope.URL?.createObjectURL?.bind(scope.URL)
  if (nativeObjectUrl && scope.URL.createObjectURL) {
    scope.URL.createObjectURL = new Proxy(scope.URL.createObjectURL, {
      apply: (target, self, args) => {
        const url = Reflect.apply(target, self, args)
        if (args[0] instanceof scope.Blob && blobs.size < 200) blobs.set(url, args[0])
        return url
      },
    })
    for (const key of ['Worker', 'SharedWorker'])
      construct(key, ([url, ...rest]) => {
        const blob = blobs.get(String(url))
        if (!blob) quietly(() => tell({ kind: 'worker', url: String(new scope.URL(url, scope.location.href)) }))
        return blob ? [nativeObjectUrl(new scope.Blob([prefix, blob], { type: 'text/javascript' })), ...rest] : null
      })
  }
  if (isWorker) return

  // ---- windows: a visitor's browser blocks those that nobody clicked for; this one would not

  const open = scope.open
  scope.open = new Proxy(open, {
    apply: (target, self, args) =>
      scope.navigator.userActivation?.isActive ? Reflect.apply(target, self, args) : null,
  })

  // ---- keys, clicks and messages, in pages alone

  const KEYS = new Set(['keydown', 'keyup', 'keypress', 'input', 'beforeinput', 'change'])
  wrap(scope.EventTarget.prototype, 'addEventListener', (self, [type]) => {
    if (scope.HTMLCanvasElement && self instanceof scope.HTMLCanvasElement) drawnOn(self).interactive = true
    if (KEYS.has(type))
      used((use) => {
        use.keys += 1
      })
  })
  const native = { listen: scope.addEventListener.bind(scope) }
  native.listen(
    'click',
    (event) =>
      quietly(() => {
        const [element] = event.composedPath()
        if (!element?.getBoundingClientRect) return
        const { x, y, width, height } = element.getBoundingClientRect()
        tell({ kind: 'click', text: labelOf(element), selector: selectorOf(element), x, y, width, height })
      }),
    true,
  )
  native.listen('message', ({ origin, data }) => {
    if (origin && origin !== scope.location.origin && origin !== 'null')
      quietly(() => tell({ kind: 'message', origin, length: text(data).length, excerpt: text(data) }))
  })
  native.listen('pagehide', flush)
  const labelOf = (element) =>
    (element.innerText || element.value || element.getAttribute('aria-label') || element.title || '')
      .trim()
      .replace(/\s+/g, ' ')
      .slice(0, 100)
  const selectorOf = (element) => {
    const parts = []
    for (let one = element; one?.nodeType === 1 && parts.length < 5; one = one.parentElement) {
      if (one.id) {
        parts.unshift(`#${one.id}`)
        break
      }
      const tag = one.tagName.toLowerCase()
      const twins = one.parentElement
        ? [...one.parentElement.children].filter((other) => other.tagName === one.tagName)
        : []
      parts.unshift(twins.length > 1 ? `${tag}:nth-of-type(${twins.indexOf(one) + 1})` : tag)
    }
    return parts.join(' > ').slice(0, 300)
  }
}
