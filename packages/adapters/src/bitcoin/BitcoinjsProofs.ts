import { BitcoinProofs } from "@countersign/core/bitcoin"
import { Layer, Result } from "effect"
import { decodeAddress } from "./readAddress.ts"
import { proofRefusal } from "./verifyProof.ts"

export const layer = Layer.succeed(
  BitcoinProofs,
  BitcoinProofs.of({
    read: (text) => Result.map(decodeAddress(text), ({ address, kind }) => ({ address, kind })),
    refusal: proofRefusal
  })
)
