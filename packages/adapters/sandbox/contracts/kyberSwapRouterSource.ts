/**
 * A router with the function, the checks and the events that KyberSwap documents for its MetaAggregationRouterV2. It is
 * reimplemented here because KyberSwap's contract is not on npm.
 */
export const kyberSwapRouterSource = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

import {Paying} from "RouterParts.sol";

interface IExecutor {
    function callBytes(bytes calldata data) external payable;
}

contract KyberSwapRouter is Paying {
    struct SwapDescriptionV2 {
        address srcToken;
        address dstToken;
        address[] srcReceivers;
        uint256[] srcAmounts;
        address[] feeReceivers;
        uint256[] feeAmounts;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 flags;
        bytes permit;
    }

    struct SwapExecutionParams {
        address callTarget;
        address approveTarget;
        bytes targetData;
        SwapDescriptionV2 desc;
        bytes clientData;
    }

    event Swapped(
        address sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount
    );
    event ClientData(bytes clientData);

    function swap(SwapExecutionParams calldata execution)
        external
        payable
        returns (uint256 returnAmount, uint256 gasUsed)
    {
        uint256 gasBefore = gasleft();
        SwapDescriptionV2 calldata desc = execution.desc;
        require(desc.minReturnAmount > 0, "Invalid min return amount");
        require(desc.srcReceivers.length == desc.srcAmounts.length, "invalid src receivers length");
        require(msg.value == (desc.srcToken == COIN ? desc.amount : 0), "wrong msg.value");
        address receiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
        uint256 before = _held(desc.dstToken, receiver);
        if (desc.srcToken != COIN) {
            for (uint256 i; i < desc.srcReceivers.length; ++i) {
                _taken(desc.srcToken, msg.sender, desc.srcReceivers[i], desc.srcAmounts[i]);
            }
        }
        IExecutor(execution.callTarget).callBytes{value: msg.value}(execution.targetData);
        returnAmount = _held(desc.dstToken, receiver) - before;
        require(returnAmount >= desc.minReturnAmount, "Return amount is not enough");
        emit Swapped(msg.sender, desc.srcToken, desc.dstToken, receiver, desc.amount, returnAmount);
        emit ClientData(execution.clientData);
        gasUsed = gasBefore - gasleft();
    }
}
`
