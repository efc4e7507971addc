import { generateHostileBodies } from "../test/limits/hostileBodies.ts"
import { startAttacked } from "./attacks/AttackedService.ts"

/**
 * Measures for how long one request blocks the event loop, and the length of its response. The bodies have the longest
 * arrays, the objects with the most fields, the deepest nesting and the longest texts, in every field of every
 * operation. Run it with `npm run bench:hostile-bodies -w packages/http`. OPERATION=batch.quote selects one operation,
 * and KIND selects bodies by a part of their names.
 */

const { KIND: kind = "", OPERATION: operation } = process.env
const WORST = 15
const REPEATS = 3

const service = await startAttacked()

const send = async ({
  method,
  path,
  text
}: {
  readonly method: string
  readonly path: string
  readonly text: string
}) => {
  const response = await fetch(service.url + path, {
    method,
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    body: text
  })
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength }
}

/** Returns the minimum of several attempts, so that other load on the machine does not count. */
const measure = async (body: Parameters<typeof send>[0]) => {
  let minMs = Number.POSITIVE_INFINITY
  let response = { status: 0, bytes: 0 }
  for (let i = 0; i < REPEATS && minMs > 20; i++) {
    await service.load()
    response = await send(body)
    minMs = Math.min(minMs, (await service.load()).stallMs)
  }
  return { ...response, stallMs: minMs }
}

try {
  const rows: Array<Record<string, string | number>> = []
  let longest = 0
  let exceededCount = 0
  for (const body of generateHostileBodies()) {
    if ((operation !== undefined && body.id !== operation) || !body.name.includes(kind)) continue
    const { bytes, stallMs, status } = await measure(body)
    longest = Math.max(longest, bytes)
    if (stallMs > 50) exceededCount += 1
    rows.push({ operation: body.id, body: body.name, bytes: body.text.length, status, answer: bytes, stallMs })
  }
  const worst = rows.toSorted((a, b) => Number(b.stallMs) - Number(a.stallMs)).slice(0, WORST)
  console.table(worst.map(({ stallMs, ...row }) => ({ ...row, "stall, ms": Number(stallMs).toFixed(0) })))
  const { rssMb } = await service.load()
  console.log(
    `${rows.length} bodies; ${exceededCount} stalls over 50 ms; longest response ${longest} bytes; memory ${rssMb} MB`
  )
} finally {
  service.stop()
}
