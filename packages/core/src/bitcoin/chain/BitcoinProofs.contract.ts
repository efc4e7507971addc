import { assert, layer } from "@effect/vitest"
import { type Layer, Result } from "effect"
import { BitcoinAddress, HexBytes } from "../../foundation/primitives/index.ts"
import { type BitcoinAddressKind, type BitcoinAddressRefusal, BitcoinProofs } from "./BitcoinProofs.ts"

const addresses: ReadonlyArray<readonly [string, BitcoinAddressKind]> = [
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "P2PKH"],
  ["3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "P2SH"],
  ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "P2WPKH"],
  ["bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3", "P2WSH"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "P2TR"]
]

const refusedAddresses: ReadonlyArray<readonly [string, BitcoinAddressRefusal["code"]]> = [
  ["", "not_bitcoin"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "not_bitcoin"],
  ["BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ", "not_bitcoin"],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "wrong_checksum"],
  ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp", "wrong_checksum"],
  // The checksum is that of another segwit version (BIP-350).
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", "wrong_checksum"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "wrong_checksum"],
  ["mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "other_network"],
  ["2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", "other_network"],
  ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "other_network"],
  ["bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "other_network"],
  ["bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "unknown_witness_version"],
  ["bc1pw5dgrnzv", "wrong_length"],
  ["bc1pfeessrawgf", "anchor"],
  ["bc1pqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsvk87xn", "not_on_curve"]
]

/** The address of an example in BIP-322. */
const OWNER = BitcoinAddress.make("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l")
const SIGNATURE =
  "smpAkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI="

const OWNER_KEY = HexBytes.make("0x02c7f12003196442943d8588e01aee840423cc54fc1521526a3b85c2b0cbd58872")

/** The first addresses of the example accounts in BIP-86 and BIP-84. */
const keys: ReadonlyArray<readonly [address: string, publicKey: string]> = [
  [
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    "0xcc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115"
  ],
  ["bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "0x0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c"]
]

/** Contract tests that every `BitcoinProofs` must pass. */
export const bitcoinProofsContract = <E>(name: string, proofs: Layer.Layer<BitcoinProofs, E>): void => {
  layer(proofs)(`BitcoinProofs of ${name}`, (it) => {
    it.effect("parses the five address types", () =>
      BitcoinProofs.useSync(({ parseAddress: read }) => {
        for (const [address, kind] of addresses) {
          assert.deepStrictEqual(Result.getOrNull(read(address)), { address: BitcoinAddress.make(address), kind })
        }
      })
    )

    it.effect("rejects other text, each with its reason", () =>
      BitcoinProofs.useSync(({ parseAddress: read }) => {
        for (const [text, code] of refusedAddresses) {
          const refusal = Result.getOrNull(Result.flip(read(text)))
          assert.strictEqual(refusal?.code, code, text)
          assert.isNotEmpty(refusal?.reason)
        }
      })
    )

    it.effect("accepts a proof of the address and the message, with or without the prefix of its variant", () =>
      BitcoinProofs.useSync(({ check }) => {
        const proof = { address: OWNER, message: "Hello World", signature: SIGNATURE }
        for (const signature of [SIGNATURE, SIGNATURE.slice("smp".length)]) {
          assert.deepStrictEqual(check({ ...proof, signature }), Result.succeed({ publicKey: OWNER_KEY }))
        }
      })
    )

    it.effect("accepts the public key of an address, and rejects every other key", () =>
      BitcoinProofs.useSync(({ keyOf }) => {
        for (const [text, publicKey] of keys) {
          const address = BitcoinAddress.make(text)
          assert.deepStrictEqual(keyOf(address, HexBytes.make(publicKey)), Result.succeed(HexBytes.make(publicKey)))
          for (const otherKey of [
            OWNER_KEY,
            "0x",
            "0x02",
            `${publicKey}00`,
            `0x02${"00".repeat(32)}`,
            `0x${"ff".repeat(32)}`
          ]) {
            assert.isTrue(Result.isFailure(keyOf(address, HexBytes.make(otherKey))), `${text} ${otherKey}`)
          }
          for (const [another] of addresses) {
            assert.isTrue(Result.isFailure(keyOf(BitcoinAddress.make(another), HexBytes.make(publicKey))), another)
          }
        }
        const [[taproot, internalKey]] = keys as [readonly [string, string]]
        assert.deepStrictEqual(
          keyOf(BitcoinAddress.make(taproot!), HexBytes.make(`0x03${internalKey!.slice(2)}`)),
          Result.succeed(HexBytes.make(internalKey!))
        )
      })
    )

    it.effect("rejects proofs of another message or address, and invalid proofs", () =>
      BitcoinProofs.useSync(({ check }) => {
        const proof = { address: OWNER, message: "Hello World", signature: SIGNATURE }
        const wrongProofs = [
          { ...proof, message: "Hello World " },
          ...addresses.map(([address]) => ({ ...proof, address: BitcoinAddress.make(address) })),
          ...["", "smp", "!", SIGNATURE.slice(0, -4), `ful${SIGNATURE.slice(3)}`, `${SIGNATURE}AAAA`].map(
            (signature) => ({
              ...proof,
              signature
            })
          )
        ]
        for (const wrongProof of wrongProofs)
          assert.isTrue(Result.isFailure(check(wrongProof)), JSON.stringify(wrongProof))
      })
    )
  })
}
