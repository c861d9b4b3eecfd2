/** The parts of WebAssembly that are used here: the types of Node leave them to those of the DOM. */
declare namespace WebAssembly {
  type Module = object
  const compile: (binary: Uint8Array) => Promise<Module>
  interface Memory {
    readonly buffer: ArrayBuffer
    /** By pages of 64 KiB. @throws RangeError where it cannot */
    grow: (pages: number) => number
  }
}
