/** Office documents as a parser of the language reads them, with a listener of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { curlOf } from '../insertion-points/replay.ts'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { callingType, ENVELOPES } from './documents.ts'
import { OFFICE_FILES } from './office.ts'

/** Opens the archive, checks every part, and parses those of XML with external entities followed. */
const READ = `
import sys, io, zipfile, xml.sax
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert archive.testzip() is None
for name in archive.namelist():
    parser = xml.sax.make_parser()
    parser.setFeature(xml.sax.handler.feature_external_ges, True)
    parser.parse(io.BytesIO(archive.read(name)))
print(len(archive.namelist()))
`

it('a spreadsheet and a text are read by a parser that follows entities, and it calls', async () => {
  const came: string[] = []
  const server = createServer((request, response) => {
    came.push(request.url ?? '')
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const read = OFFICE_FILES.map(async (file) => {
      const python = spawn('python3', ['-c', READ], { timeout: 8_000 })
      python.stdin.end(file.with(callingType(`http://127.0.0.1:${port}/${file.name}/`)))
      return await once(python, 'close')
    })
    expect(await Promise.all(read)).toEqual([
      [0, null],
      [0, null],
    ])
  } finally {
    server.close()
  }
  expect(came).toEqual(expect.arrayContaining(['/q.xlsx/q', '/q.docx/q']))
})

it('goes into the part of a file as bytes, under its name and type, and can be sent again', () => {
  const head = 'Content-Disposition: form-data; name="list"; filename="a.txt"\r\nContent-Type: text/plain'
  const request = {
    ...{ method: 'POST', headers: [['Content-Type', 'multipart/form-data; boundary=b']] as const },
    body: `--b\r\n${head}\r\n\r\nhello\r\n--b--\r\n`,
  }
  const { point } = fakeProbe(() => ({ text: '' }), { place: 'file', name: 'list', value: 'hello', request }).probe
  const envelope = ENVELOPES.find(({ flavour }) => flavour.includes('XLSX'))
  const made = envelope?.with(point, { url: point.request.url }, callingType('http://abc.oob.test/')) as HttpRequest
  const body = made.body as Buffer
  expect(body.toString('latin1')).toMatch(
    /^--b\r\nContent-Disposition: form-data; name="list"; filename="q\.xlsx"\r\nContent-Type: application\/vnd\.openxml\S+\r\n\r\nPK/,
  )
  expect(body.subarray(-9).toString('latin1')).toBe('\r\n--b--\r\n')
  expect(curlOf(made)).toMatch(
    new RegExp(
      `^echo ${body.toString('base64').slice(0, 40).replaceAll('+', '\\+')}.* \\| base64 -d \\| curl .*--data-binary @-`,
    ),
  )
})
