/**
 * A router with the function, the order of checks and payments, and the errors of Velora's Augustus 6.2, based on its
 * verified source. It checks the minimum output before it takes the surplus above the quoted amount, and it keeps one
 * base unit. It has no other functions, permits, partners or owner. It is reimplemented here because Velora's contract
 * is not on npm.
 */
export const augustusSource = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

import {Paying} from "RouterParts.sol";

contract Augustus is Paying {
    struct GenericData {
        address srcToken;
        address destToken;
        uint256 fromAmount;
        uint256 toAmount;
        uint256 quotedAmount;
        bytes32 metadata;
        address beneficiary;
    }

    error InvalidToAmount();
    error IncorrectEthAmount();
    error InsufficientReturnAmount();

    address internal constant FEE_WALLET = address(uint160(0xca4e0012));
    uint256 internal constant MIN_SURPLUS = 12;
    uint256 internal constant IS_CAPPED = 1 << 92;

    function swapExactAmountIn(
        address executor,
        GenericData calldata swapData,
        uint256 partnerAndFee,
        bytes calldata,
        bytes calldata executorData
    ) external payable returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare) {
        if (swapData.toAmount == 0) revert InvalidToAmount();
        _execute(executor, swapData, executorData);
        receivedAmount = _held(swapData.destToken, address(this));
        if (receivedAmount < swapData.toAmount) revert InsufficientReturnAmount();
        paraswapShare = _surplus(receivedAmount, swapData.quotedAmount, partnerAndFee & IS_CAPPED != 0);
        partnerShare = 0;
        receivedAmount -= paraswapShare + 1;
        _paid(swapData.destToken, swapData.beneficiary == address(0) ? msg.sender : swapData.beneficiary, receivedAmount);
        if (paraswapShare > 0) _paid(swapData.destToken, FEE_WALLET, paraswapShare);
    }

    function _execute(address executor, GenericData calldata swapData, bytes calldata executorData) internal {
        bool isCoin = _isCoin(swapData.srcToken);
        if (msg.value != (isCoin ? swapData.fromAmount : 0)) revert IncorrectEthAmount();
        if (!isCoin) _taken(swapData.srcToken, msg.sender, executor, swapData.fromAmount);
        bytes memory appended = abi.encode(swapData.fromAmount, msg.sender);
        _called(executor, msg.value, abi.encodePacked(bytes4(0), executorData, appended));
    }

    function _surplus(uint256 received, uint256 quoted, bool isCapped) internal pure returns (uint256 surplus) {
        if (received < quoted + MIN_SURPLUS) return 0;
        surplus = received - quoted;
        if (isCapped && surplus > quoted / 100) surplus = quoted / 100;
    }
}
`
