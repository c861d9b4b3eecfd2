/** Pictures that a browser took for findings, as the report shows them: what a decoder could choke on never gets that far. */
import { checkPng } from './png.ts'

/** A PNG of the run's evidence. */
export interface Picture {
  /** Of the artifact, as findings name it. */
  readonly id: string
  /** What it is called in evidence.zip. */
  readonly name: string
  readonly body: Buffer
}

/** Of one finding; the others are in the evidence. */
export const MAX_PICTURES = 2

/** The name stands in a TeX document and in the folder that it is set in. */
const NAME = /^[A-Za-z0-9][\w-]{0,150}(?:\.[\w-]{1,20}){0,3}\.png$/

/** Whole PNGs of a plain name, each name once. */
export const drawable = (pictures: readonly Picture[]): readonly Picture[] => {
  const names = new Set<string>()
  return pictures.filter(({ name, body }) => {
    if (!NAME.test(name) || names.has(name) || name === 'logo.png' || checkPng(body) !== null) return false
    names.add(name)
    return true
  })
}

/** To each finding those that none before it has shown. */
export const picturesByFinding = (
  findings: readonly { readonly id: string; readonly evidence: readonly string[] }[],
  pictures: readonly Picture[],
): ReadonlyMap<string, readonly Picture[]> => {
  const left = new Map(pictures.map((picture) => [picture.id, picture]))
  return new Map(
    findings.map(({ id, evidence }) => {
      const own = evidence.flatMap((one) => left.get(one) ?? []).slice(0, MAX_PICTURES)
      for (const { id: shown } of own) left.delete(shown)
      return [id, own]
    }),
  )
}
