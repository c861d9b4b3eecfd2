/** Serves every case twice: /careless/<id> and /careful/<id>. */
import { readFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Answer, Surroundings, WebCase } from './case.ts'
import { type Input, readInput } from './input.ts'

export const serveCases = (cases: readonly WebCase[], around: Surroundings): RequestListener => {
  const byId = new Map(cases.map((one) => [one.id, one]))
  return (request, response) => {
    const [, twin, id = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? []
    if (twin === 'lib') {
      libraryOf(id, response)
      return
    }
    // Whatever else stands there is no twin: a payload in the path would be answered by the careless one.
    const found = twin === 'careless' || twin === 'careful' ? byId.get(id) : undefined
    const answered: Promise<Answer> = found
      ? answerTo(found, twin === 'careful', () => readInput(request, found.place), around)
      : Promise.resolve({ status: 404, body: '<!doctype html><title>Not found</title><p>No such page.' })
    void answered.then(({ status = 200, headers = {}, body, raw }) => {
      if (raw !== undefined) {
        response.socket?.end(raw)
        return
      }
      response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
      response.end(body)
    })
  }
}

export const libraryOf = (name: string, response: ServerResponse): void => {
  const code = LIBRARIES[name]
  response.writeHead(code ? 200 : 404, { 'Content-Type': 'text/javascript', 'Cache-Control': 'max-age=600' })
  response.end(code?.())
}

/** Libraries of pages as they are in the wild, read from their packages. */
const LIBRARIES: Readonly<Record<string, () => Buffer>> = {
  'angular.min.js': () => readFileSync(fileURLToPath(import.meta.resolve('angular/angular.min.js'))),
  'vue.global.prod.js': () => readFileSync(fileURLToPath(import.meta.resolve('vue/dist/vue.global.prod.js'))),
  'jquery.js': () => readFileSync(new URL('../../node_modules/jquery/dist/jquery.min.js', import.meta.url)),
}

const answerTo = async (
  one: WebCase,
  careful: boolean,
  input: () => Promise<Input>,
  around: Surroundings,
): Promise<Answer> => {
  try {
    const { value, raw } = await input()
    return await one.answer(value, careful, around, raw)
  } catch {
    // What a framework does with what the page did not expect; pages that show their errors do so themselves.
    return { status: 500, body: '<!doctype html><title>Error</title><h1>Something went wrong</h1>' }
  }
}
