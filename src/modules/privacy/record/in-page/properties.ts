/** Properties and methods whose answers differ between browsers. */
import { wrap, wrapAccessor } from './natives.ts'
import { scope } from './scope.ts'
import { added, type Used } from './uses.ts'

const WATCHED: readonly (readonly [owner: object | undefined, label: string, keys: string])[] = [
  [
    scope.Navigator?.prototype ?? scope.WorkerNavigator?.prototype,
    'navigator',
    'platform language languages hardwareConcurrency deviceMemory maxTouchPoints plugins mimeTypes doNotTrack vendor productSub appVersion pdfViewerEnabled connection webdriver userAgentData oscpu cookieEnabled',
  ],
  [scope.Screen?.prototype, 'screen', 'width height availWidth availHeight colorDepth pixelDepth orientation'],
  [globalThis, 'window', 'devicePixelRatio outerWidth outerHeight screenX screenY'],
  [scope.Performance?.prototype, 'performance', 'memory'],
]

export const watchProperties = (used: Used): void => {
  const property = (label: string): void => used((use) => added(use.properties, label, Number.POSITIVE_INFINITY))
  for (const [owner, label, keys] of WATCHED)
    for (const key of keys.split(' ')) wrapAccessor(owner, key, { onGet: () => property(`${label}.${key}`) })
  const asked = <S>(owner: S | undefined, key: keyof S & string): void => wrap(owner, key, () => property(key))
  asked(scope.Navigator?.prototype as { getBattery?: unknown } | undefined, 'getBattery')
  asked(scope.NavigatorUAData?.prototype, 'getHighEntropyValues')
  asked(scope.MediaDevices?.prototype, 'enumerateDevices')
  asked(scope.StorageManager?.prototype, 'estimate')
  asked(scope.Permissions?.prototype, 'query')
  asked(scope.SpeechSynthesis?.prototype, 'getVoices')
  asked(scope.Intl?.DateTimeFormat?.prototype, 'resolvedOptions')
  asked(scope.Date?.prototype, 'getTimezoneOffset')
  asked(scope.Keyboard?.prototype, 'getLayoutMap')
  asked(scope.RTCPeerConnection?.prototype, 'createOffer')
}
