/**
 * What is sent to pages and into the sandbox of templates, by address and without its types. Nothing where sources run; in the build of
 * what each run starts this file is another, which has it all: for a few texts Node would load its compiler, a tenth of a second of a
 * processor for each run (main/build-scan.ts).
 */
export const textsOfBuild = (): ReadonlyMap<string, string> => new Map()
