/** Endpoints as lines that a person can read: `POST /x json {"a":1}`. */
import { createScripts } from '../../scripts.ts'
import type { Endpoint } from '../endpoint.ts'

const lineOf = ({ method, address, body, headers }: Endpoint): string => {
  const said = body === null ? [] : [body.encoding, body.json ?? body.text ?? JSON.stringify(body.fields)]
  const files = body?.files ? [`files ${body.files.join(',')}`] : []
  const beside = headers ? headers.map(([name, value]) => `${name}: ${value}`) : []
  return [method, address, ...said, ...files, ...beside].join(' ')
}

/** What the files call, each once, in order of names; files are named `0.js`, `1.js` … where nothing else is said. */
export const calledIn = (
  ...files: readonly (string | { readonly name: string; readonly code: string })[]
): readonly string[] => {
  const scripts = createScripts()
  const found = files.flatMap((file, index) =>
    typeof file === 'string' ? scripts.add(file, `${index}.js`) : scripts.add(file.code, file.name),
  )
  return [...new Set(found.filter(({ called }) => called).map(lineOf))].toSorted()
}
