/** Examples of the matrix; see examples.ts. */
import { ids } from './examples.ts'
import type { MatrixPage } from './matrix.ts'

export const matrixPage: MatrixPage = {
  people: [
    { name: 'ada', role: 'administrator', requests: 214, left: null },
    { name: 'ben', role: 'customer', requests: 203, left: null },
    { name: '', role: '', requests: 120, left: null },
  ],
  ...{ operations: 1, flawed: 1, left: 0 },
  coverage: [
    {
      module: 'authorization',
      check_id: 'authorization/object-level',
      title: "Broken object level authorization (BOLA): one user is answered with another one's data",
      state: 'fail',
      reason: null,
    },
  ],
  items: [
    {
      operation: 'GET /api/orders/{}',
      method: 'GET',
      url: 'https://shop.example.com/api/orders/7',
      parameter: 'orders',
      cells: [
        { access: 'may', status: 200, reason: '', finding_id: null },
        { access: 'should_not', status: 200, reason: '', finding_id: ids.finding },
        { access: 'unclear', status: 500, reason: '', finding_id: null },
      ],
      verdict: 'flaw',
      note: 'not for ben',
    },
  ],
  next_cursor: null,
}
