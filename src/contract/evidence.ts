/** Evidence: a file that is stored with a run, and what facts and findings keep of it. */

/** A stored evidence file; facts hold it, findings name its id. */
export interface EvidenceRef {
  readonly id: string
  readonly filename: string
}

export interface EvidenceFile {
  /** Of the form `name.ext`; the module's id is put before it. */
  readonly filename: string
  readonly contentType: string
  readonly body: Uint8Array | string
}
