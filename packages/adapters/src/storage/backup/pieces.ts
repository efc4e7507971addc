import { Stream } from "effect"

/** Splits a stream into pieces of this length; the last one may be shorter. */
export const piecesOf = <E>(
  content: Stream.Stream<Uint8Array, E>,
  bytes: number
): Stream.Stream<Uint8Array<ArrayBuffer>, E> =>
  content.pipe(
    Stream.mapAccum(
      () => ({ chunks: [] as ReadonlyArray<Uint8Array>, length: 0 }),
      (state, chunk: Uint8Array) => {
        const length = state.length + chunk.length
        const chunks = [...state.chunks, chunk]
        if (length < bytes) return [{ chunks, length }, []] as const
        const all = Buffer.concat(chunks, length)
        const pieceCount = Math.floor(length / bytes)
        const pieces = Array.from({ length: pieceCount }, (_, i) => all.subarray(i * bytes, (i + 1) * bytes))
        const remainder = all.subarray(pieceCount * bytes)
        return [{ chunks: remainder.length === 0 ? [] : [remainder], length: remainder.length }, pieces] as const
      },
      { onHalt: ({ chunks, length }) => (length === 0 ? [] : [Buffer.concat(chunks, length)]) }
    )
  )
