import { bitcoinProofsContract } from "@countersign/core/contracts/bitcoin/BitcoinProofs"
import { BitcoinjsProofs } from "./index.ts"

bitcoinProofsContract("bitcoinjs-lib", BitcoinjsProofs.layer)
