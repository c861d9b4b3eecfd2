/** Workers made of text get this script in front; the others get it from the proxy. */
import { wrapConstructor } from './natives.ts'
import { scope } from './scope.ts'
import { absolute } from './sent.ts'
import { quietly, type Tell } from './tell.ts'

/** The whole text that this file is part of: see SELF in in-page.ts. */
declare const inPage: (name: string, isWorker: boolean) => void

const MOST_BLOBS = 200

export const watchWorkers = (name: string, tell: Tell): void => {
  const native = scope.URL?.createObjectURL
  if (scope.URL === undefined || native === undefined) return
  const makeUrl = native.bind(scope.URL)
  const prefix = `(${inPage})(${JSON.stringify(name)},true);`
  const blobs = new Map<string, Blob>()
  scope.URL.createObjectURL = new Proxy(native, {
    apply: (target, self, given) => {
      const url = Reflect.apply(target, self, given)
      if (given[0] instanceof Blob && blobs.size < MOST_BLOBS) blobs.set(url, given[0])
      return url
    },
  })
  for (const key of ['Worker', 'SharedWorker'] as const)
    wrapConstructor(key, ([url, ...rest]) => {
      const blob = blobs.get(String(url))
      if (blob) return [makeUrl(new Blob([prefix, blob], { type: 'text/javascript' })), ...rest]
      quietly(() => tell({ kind: 'worker', url: absolute(url) }))
      return null
    })
}
