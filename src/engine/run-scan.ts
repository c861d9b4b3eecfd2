/** Entry of the child process. */
import { MODULES } from '../modules/index.ts'
import { serveScan } from './scan-process.ts'

serveScan(MODULES)
