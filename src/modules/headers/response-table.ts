import type { FactTable } from '../../contract/findings-file.ts'
import type { HeadersFacts } from './facts.ts'
import { clip } from './report.ts'

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
