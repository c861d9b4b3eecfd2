/** Files of a run, by the short-lived addresses that the interface gives out. */
import type { Artifact } from '../../src/contract/artifact.ts'
import { client } from './client.ts'

export const addressOf = async (run: string, artifact: Artifact): Promise<string> => {
  const { url } = await client.signArtifactUrl({
    params: { id: run, kind: artifact.kind },
    query: {
      ...(artifact.kind === 'evidence' ? { artifact_id: artifact.id } : {}),
      ...(artifact.version === null ? {} : { version: artifact.version }),
    },
  })
  return ownAddress(url)
}

/** The service's own files are fetched from where the page came from, whatever name the service believes it has. */
export const ownAddress = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname.startsWith('/files/') && new URLSearchParams(search).has('signature') ? pathname + search : url
}

/** What is text already, as a file of this name. */
export const saveText = (filename: string, text: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = filename
  link.click()
  // Chromium reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** The answer says "attachment": the browser saves it and stays on the page. */
export const download = async (run: string, artifact: Artifact): Promise<void> => {
  const link = document.createElement('a')
  link.href = await addressOf(run, artifact)
  link.download = artifact.filename
  link.click()
}
