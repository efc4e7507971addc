import { assert, describe, it } from "@effect/vitest"
import { encodeAbiParameters, encodeErrorResult, type Hex, parseAbiParameters } from "viem"
import { knownErrorsAbi as abi } from "./abi/errors.ts"
import { bytesFromHex } from "./hex.ts"
import { revertReason } from "./revertReason.ts"

const decode = (data: Hex): string => revertReason(bytesFromHex(data)).decoded

const error = (message: string): Hex => encodeErrorResult({ abi, errorName: "Error", args: [message] })

describe("revertReason", () => {
  it("reads a require message, as text and as printable bytes", () => {
    const reason = revertReason(bytesFromHex(error("Transaction too old")))
    assert.strictEqual(reason.decoded, "Transaction too old")
    assert.strictEqual(reason.utf8, "Transaction too old")
    assert.strictEqual(reason.raw, bytesFromHex(error("Transaction too old")))
  })

  it("adds the meaning of an abbreviation", () => {
    assert.strictEqual(
      decode(error("STF")),
      "STF: the token transfer from the wallet failed: balance or allowance too low"
    )
    assert.strictEqual(decode(error("36")), "36: the collateral does not cover the loan")
  })

  it("names a panic", () => {
    const data = encodeErrorResult({ abi, errorName: "Panic", args: [0x11n] })
    assert.strictEqual(decode(data), "Panic 0x11: arithmetic overflow or underflow")
  })

  it("names a custom error with its arguments", () => {
    const sender = "0x00000000000000000000000000000000000000aa"
    const data = encodeErrorResult({ abi, errorName: "ERC20InsufficientBalance", args: [sender, 1n, 2n] })
    assert.strictEqual(
      decode(data),
      "ERC20InsufficientBalance(sender: 0x00000000000000000000000000000000000000aa, balance: 1, needed: 2)"
    )
  })

  it("unwraps the errors of the EntryPoint and of accounts", () => {
    const innerError = encodeErrorResult({ abi, errorName: "TransferFromFailed" })
    const postOp = encodeErrorResult({ abi, errorName: "PostOpReverted", args: [innerError] })
    assert.strictEqual(decode(postOp), "AA50 postOp reverted: TransferFromFailed()")
    const failedOp = encodeErrorResult({
      abi,
      errorName: "FailedOpWithRevert",
      args: [0n, "AA33 reverted", innerError]
    })
    assert.strictEqual(decode(failedOp), "AA33 reverted: TransferFromFailed()")
    const batch = encodeErrorResult({ abi, errorName: "ExecuteError", args: [1n, error("Too little received")] })
    assert.strictEqual(decode(batch), "Too little received")
    const aa = encodeErrorResult({ abi, errorName: "FailedOp", args: [0n, "AA25 invalid account nonce"] })
    assert.strictEqual(
      decode(aa),
      "AA25 invalid account nonce: the nonce is already used, or an earlier nonce is not used yet"
    )
  })

  it("unwraps the errors of routers and pools, and explains those of Uniswap V2's forks", () => {
    const tooLittle = encodeErrorResult({ abi, errorName: "V4TooLittleReceived", args: [2n, 1n] })
    const command = encodeAbiParameters(parseAbiParameters("uint256, bytes"), [3n, tooLittle])
    assert.strictEqual(
      decode(`0x2c4029e9${command.slice(2)}`),
      "V4TooLittleReceived(minAmountOutReceived: 2, amountReceived: 1)"
    )
    const wrappedError = encodeErrorResult({
      abi,
      errorName: "WrappedError",
      args: ["0x00000000000000000000000000000000000000aa", "0xa9059cbb", error("paused"), "0x"]
    })
    assert.strictEqual(decode(wrappedError), "paused")
    assert.strictEqual(decode("0xacfdb444"), "The Safe's call failed")
    assert.strictEqual(decode(error("Pancake: K")), "Pancake: K: the payment to the pool was too small")
    assert.strictEqual(decode(error("Pancake: constructor")), "Pancake: constructor")
  })

  it("explains the EntryPoint's codes", () => {
    assert.strictEqual(
      decode(`0xdeadaa51${"0".repeat(56)}`),
      "AA51 prefund below actualGasCost: the gas cost more than the prefund"
    )
  })

  it("stops unwrapping at a maximum depth", () => {
    let data = error("deep")
    for (let level = 0; level < 12; level++) {
      data = encodeErrorResult({ abi, errorName: "ExecuteError", args: [0n, data] })
    }
    assert.strictEqual(decode(data), "nested too deeply")
  })

  it("reports a missing or unknown reason", () => {
    assert.strictEqual(decode("0x"), "Reverted without a reason")
    assert.strictEqual(decode(error("")), "Reverted without a reason")
    assert.strictEqual(decode("0xdeadbeef"), "Unknown error 0xdeadbeef")
    assert.strictEqual(decode("0x08c379a0ff"), "Unknown error 0x08c379a0…")
  })
})
