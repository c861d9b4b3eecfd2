/**
 * Loads what the program loads, once and for nobody: its compiled code then lies in the compile cache. Without it each worker and each
 * of the first programs that tests start strips and compiles a thousand sources by itself, two seconds of a processor each.
 */

/** What the program has in it, and what its commands load by themselves. */
const LOADED = ['cli/entry', 'main/commands'].concat(
  ['backup', 'demo', 'doctor', 'feeds', 'local-service', 'migrate', 'reach-operator', 'serve', 'templates', 'work'].map(
    (name) => `main/${name}`,
  ),
)

for (const name of LOADED) await import(new URL(`../../src/${name}.ts`, import.meta.url).href)
