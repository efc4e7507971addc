import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Entropy } from "./Entropy.ts"
import { hexDigits } from "./Hex.ts"

/** Contract tests that every `Entropy` must pass. */
export const entropyContract = <E>(name: string, entropies: Layer.Layer<Entropy, E>): void => {
  layer(entropies)(`Entropy of ${name}`, (it) => {
    it.effect("returns the requested number of bytes, different each time", () =>
      Effect.gen(function* () {
        const entropy = yield* Entropy
        for (const length of [0, 1, 128]) assert.strictEqual((yield* entropy.bytes(length)).length, length)
        assert.notDeepEqual(yield* entropy.bytes(32), yield* entropy.bytes(32))
      })
    )

    it.effect("returns version 4 UUIDs, different each time", () =>
      Effect.gen(function* () {
        const entropy = yield* Entropy
        const uuids = yield* Effect.all(Array.from({ length: 100 }, () => entropy.uuid))
        for (const uuid of uuids) {
          assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u)
        }
        assert.strictEqual(new Set(uuids).size, 100)
      })
    )

    it.effect("computes SHA-256 (the examples of FIPS 180-4)", () =>
      Effect.gen(function* () {
        const entropy = yield* Entropy
        const digestOf = (text: string) => Effect.map(entropy.sha256(new TextEncoder().encode(text)), hexDigits)
        assert.strictEqual(yield* digestOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        assert.strictEqual(yield* digestOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
      })
    )
  })
}
