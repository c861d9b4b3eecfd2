// The careless application of sinks.test.ts: whatever value it is given becomes the name of a file, in every way there is.
// Runs as root in a root folder of its own. Reads values as JSON lines, says what it did as one JSON line.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'

const folder = process.argv[2]
process.chdir(folder)
const counts = { values: 0, tried: 0, worked: 0 }

const own = join(folder, 'own.txt')
/** In this order: what was made stays to be found. */
const DEEDS = [
  (path) => truncateSync(path, 0),
  (path) => appendFileSync(path, 'appended'),
  (path) => renameSync(path, join(folder, 'moved.txt')),
  (path) => unlinkSync(path),
  (path) => {
    writeFileSync(own, 'own')
    renameSync(own, path)
  },
  (path) => {
    writeFileSync(own, 'own')
    copyFileSync(own, path)
  },
  (path) => writeFileSync(path, 'overwritten'),
]

/** As programs make a path of a value, with the application's folder for the one they stand in. Decoded once more, as front ends do. */
const paths = (value) => {
  const texts = new Set([value, value.trim(), value.split(/[?#]/)[0]])
  try {
    texts.add(decodeURIComponent(value))
  } catch {
    // A stray % is no escape.
  }
  for (const text of [...texts])
    texts
      .add(text.replaceAll('../', ''))
      .add(text.replace(/^file:\/\//, ''))
      .add(`${text}.txt`)
  // Relative to the folder it stands in, a bare text is the second of them.
  return [...texts].flatMap((text) => [
    ...(isAbsolute(text) ? [text, resolve(text)] : []),
    ...[`${folder}/${text}`, join(folder, text)],
  ])
}

/** The one thing that no program may do with a name, and that no test may try: everything below a folder. */
const attempt = (deed, path) => {
  counts.tried += 1
  try {
    deed(path)
    counts.worked += 1
  } catch (error) {
    if (!(error instanceof Error)) throw error // The system refused: nothing was done.
  }
}

for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const value = JSON.parse(line)
  counts.values += 1
  for (const path of new Set(paths(value))) for (const deed of DEEDS) attempt(deed, path)
  // The application's own folder is its own; what became of it is of no interest.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  process.chdir(folder)
}
process.stdout.write(`${JSON.stringify(counts)}\n`)
