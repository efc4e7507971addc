/**
 * A router with the function, the checks and the event that KyberSwap documents for its MetaAggregationRouterV2, and an
 * executor for it that makes the calls that it is given. Written here, because KyberSwap's own is not on npm.
 */
export const kyberSwapRouterSource = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
}

interface IExecutor {
    function callBytes(bytes calldata data) external payable;
}

contract KyberSwapRouter {
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

    address internal constant COIN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

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
        uint256 before = _balance(desc.dstToken, receiver);
        if (desc.srcToken != COIN) {
            for (uint256 i; i < desc.srcReceivers.length; ++i) {
                _take(desc.srcToken, desc.srcReceivers[i], desc.srcAmounts[i]);
            }
        }
        IExecutor(execution.callTarget).callBytes{value: msg.value}(execution.targetData);
        returnAmount = _balance(desc.dstToken, receiver) - before;
        require(returnAmount >= desc.minReturnAmount, "Return amount is not enough");
        emit Swapped(msg.sender, desc.srcToken, desc.dstToken, receiver, desc.amount, returnAmount);
        emit ClientData(execution.clientData);
        gasUsed = gasBefore - gasleft();
    }

    function _balance(address token, address owner) internal view returns (uint256) {
        return token == COIN ? owner.balance : IToken(token).balanceOf(owner);
    }

    function _take(address token, address to, uint256 amount) internal {
        (bool success, bytes memory answer) =
            token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, to, amount));
        require(success && (answer.length == 0 || abi.decode(answer, (bool))), "TRANSFER_FROM_FAILED");
    }
}

contract KyberSwapExecutor {
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    receive() external payable {}

    function callBytes(bytes calldata data) external payable {
        (uint256 deadline, Call[] memory calls) = abi.decode(data, (uint256, Call[]));
        require(block.timestamp <= deadline, "Router: Expired");
        for (uint256 i; i < calls.length; ++i) {
            (bool success, bytes memory answer) = calls[i].target.call{value: calls[i].value}(calls[i].data);
            if (!success) {
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }
}
`
