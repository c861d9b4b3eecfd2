/**
 * Whether what a page sends is a film of the visit, whoever made the recorder: the document as a tree of nodes, or what changed in it
 * and where the pointer was, with times. Sources: events of rrweb (which many products are built on), MutationObserver and
 * PointerEvent as recorders write them down.
 */
const LONGEST = 256 * 1024
/** As few as a recorder uploads at once, and more than a page has use for. */
const LEAST_SAMPLES = 8
const LEAST_NODES = 5

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** @param body text of a request's body or of a message; may be cut off */
export const isRecording = (body: string): boolean => {
  // Events are often a text within the JSON: its quotes are escaped then, once or more.
  const text = body.slice(0, LONGEST).replace(/\\+"/g, '"')
  return hasSnapshot(text) || hasChanges(text) || hasTrack(text)
}

const TIME = /"(?:timestamp|time|ts|t|timeOffset|at)"\s*:\s*-?\d+(?:\.\d+)?/g

/** A document with its elements, nested. */
const hasSnapshot = (text: string): boolean =>
  count(text, /"(?:childNodes|children|child_nodes)"\s*:\s*\[/g) >= 3 &&
  count(text, /"(?:tagName|nodeName|tag|nodeType)"\s*:/g) >= LEAST_NODES &&
  /"(?:tagName|nodeName|tag)"\s*:\s*"(?:html|body)"/i.test(text)

/** Events of a source each: changes, pointer, scrolling, input. */
const hasChanges = (text: string): boolean =>
  count(text, /"data"\s*:\s*\{[^{}]{0,60}"source"\s*:\s*\d{1,2}\b/g) >= 2 &&
  count(text, /"timestamp"\s*:\s*\d{12,}/g) >= 2

/** Places of the pointer one after the other, with times. */
const hasTrack = (text: string): boolean =>
  count(text, /"(?:x|clientX|pageX|mouseX)"\s*:\s*-?\d+(?:\.\d+)?\s*,\s*"(?:y|clientY|pageY|mouseY)"\s*:/g) >=
    LEAST_SAMPLES && count(text, TIME) >= LEAST_SAMPLES
