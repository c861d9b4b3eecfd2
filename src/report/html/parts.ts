/** Pieces that all sections of the page share. */
import type { Severity } from '../../contract/finding.ts'
import type { Words } from '../words/words.ts'
import { type Html, html } from './markup.ts'

/** `flow`: printed where there is room, not on a page of its own. */
export const heading = (number: string, title: string, id: string, flow = false): Html =>
  html`<h2 id="${id}"${flow ? html` class="flow"` : null}><span class="number">${number}</span>${title}</h2>`

export const pill = (severity: Severity, w: Words): Html =>
  html`<span class="pill ${severity}">${w.severity[severity]}</span>`
