/**
 * Tables of knowledge as a build has them: read and checked when it was made, which takes a run a tenth of its processor time. Null where the
 * sources run: they are read from their files then (main/build-scan.ts).
 */
export const tableOfBuild = (_name: 'products' | 'cve' | 'ratings' | 'roots'): unknown => null
