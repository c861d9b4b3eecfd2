import type { FactTable } from '../../../contract/findings-file.ts'
import { clip } from '../../evidence/pages.ts'
import type { HeadersFacts } from './facts.ts'

/** The start page's answer, line by line. */
export const responseTable = ({ response }: HeadersFacts): readonly FactTable[] =>
  response === null
    ? []
    : [
        {
          id: 'response-headers',
          module: 'headers',
          title: `Response headers of ${response.url} (status ${response.status})`,
          columns: ['Header', 'Value'],
          rows: response.headers.slice(0, 100).map(([name, value]) => [name, clip(value, 500)]),
        },
      ]
