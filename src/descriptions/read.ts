/** Files of one description, whatever their format, as operations. Nothing is fetched, nothing is run. */

import { readIntrospection, schemaOf } from './graphql/introspection.ts'
import { readGraphql } from './graphql/read.ts'
import { isSdl, readSdl } from './graphql/sdl.ts'
import { isHar, readHar } from './har.ts'
import { openApiVersion, readOpenApi } from './openapi/read.ts'
import { type Description, MOST_BYTES, type ReadOptions, type SourceFile, Unreadable } from './operation.ts'
import { isPostman, isPostmanEnvironment, readPostman } from './postman.ts'
import { readTree, type Tree } from './tree.ts'
import { isWsdl, readWsdl } from './wsdl.ts'

/** One for each document among the files: parts that a document refers to are none of their own. @throws Unreadable */
export const readDescriptions = (files: readonly SourceFile[], options: ReadOptions): readonly Description[] => {
  if (files.length === 0) throw new Unreadable('There is no file in it.')
  const size = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  if (size > MOST_BYTES) throw new Unreadable(`A description has at most ${MOST_BYTES / 1024 / 1024} MiB.`)
  const services = files.filter(({ text }) => isWsdl(text))
  const schemas = files.filter((file) => !services.includes(file) && isSdl(file.text))
  const trees = new Map<string, Tree>()
  for (const { name, text } of files.filter((file) => !services.includes(file) && !schemas.includes(file)))
    trees.set(name, treeOf(name, text))
  const environments = [...trees.values()].map(({ value }) => value).filter(isPostmanEnvironment)
  const found = [
    ...[...trees].flatMap(([name, tree]) => {
      if (openApiVersion(tree.value) !== null) return [readOpenApi(trees, name, options)]
      if (isPostman(tree.value)) return [readPostman(tree, environments)]
      const told = schemaOf(tree.value)
      if (told !== null) return [readGraphql(readIntrospection(told), options)]
      return isHar(tree.value) ? [readHar(tree, options)] : []
    }),
    // A schema may stand in several files.
    ...(schemas.length === 0 ? [] : [readGraphql(readSdl(schemas.map(({ text }) => text).join('\n')), options)]),
    ...services.map(({ text }) => readWsdl(text, options)),
  ]
  if (found.length === 0) throw new Unreadable(UNKNOWN)
  return found
}

const UNKNOWN =
  'It is no description of a format that is read: OpenAPI 2.0, 3.0 or 3.1, Postman 2, HAR 1.2, GraphQL, or WSDL 1.1.'

const treeOf = (name: string, text: string): Tree => {
  try {
    return readTree(text)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const line = error.line === null ? '' : `, line ${error.line}`
    throw new Unreadable(`${name}${line}: ${error.message}`, error.line)
  }
}
