/**
 * What V8 is told in processes of tests and in programs that they start. As the service is started: the embedded database's code is not
 * lost where the processor has protection keys. And that code is not compiled a second time, for speed: such a process has ended before
 * that pays.
 */
export const V8_OPTIONS: readonly string[] = ['--no-memory-protection-keys', '--liftoff-only']
