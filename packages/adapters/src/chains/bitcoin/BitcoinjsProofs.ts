import { BitcoinProofs } from "@countersign/core/bitcoin/chain"
import { Layer, Result } from "effect"
import { keyOfAddress } from "./keyOfAddress.ts"
import { decodeAddress } from "./readAddress.ts"
import { checkProof } from "./verifyProof.ts"

export const layer = Layer.succeed(
  BitcoinProofs,
  BitcoinProofs.of({
    parseAddress: (text) => Result.map(decodeAddress(text), ({ address, kind }) => ({ address, kind })),
    check: checkProof,
    keyOf: keyOfAddress
  })
)
