# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures for the mock server, drawn row by row and written as PNG: a ball and a mug on a table.

    png = frame(12)              # bytes; the ball rolls, frame 12 differs from frame 13
    png = thumbnail("mug")       # 160 pixels wide, another hue for another name
"""
import functools
import math
import struct
import zlib

WIDTH, HEIGHT = 640, 480
FRAMES = 48  # after which the ball is where it began


def png(width, height, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    pixels = b"".join(b"\0" + bytes(row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(pixels, 1)) + chunk(b"IEND", b""))


def mixed(a, b, share):
    return bytes(max(0, min(255, round(x + (y - x) * share))) for x, y in zip(a, b))


def span(row, width, left, right, colour):
    left, right = max(0, int(left)), min(width, int(right))
    if right > left:
        row[3 * left:3 * right] = colour * (right - left)


def half_width(y, centre, radius):
    return math.sqrt(max(0.0, radius * radius - (y - centre) ** 2))


def ball(row, width, y, x, centre, radius, colour):
    reach = half_width(y, centre, radius)
    steps = 12  # of shading, from the lit side to the other
    for step in range(steps if reach > 0 else 0):
        light = 1.0 - 0.055 * step - 0.25 * (y - centre + radius) / (2 * radius)
        span(row, width, x - reach + 2 * reach * step / steps, x - reach + 2 * reach * (step + 1) / steps,
             mixed(b"\0\0\0", colour, light))


def scene(width, height, ball_x, colour):
    """Rows of a table before a wall, a mug, and a ball at ball_x (0 to 1)."""
    edge = int(height * 0.62)
    radius, centre = height * 0.15, height * 0.66
    mug_left, mug_right, mug_top, mug_bottom = width * 0.56, width * 0.78, height * 0.34, height * 0.78
    for y in range(height):
        if y < edge:
            row = bytearray(mixed((206, 212, 216), (176, 184, 190), y / edge) * width)
        else:
            row = bytearray(mixed((150, 116, 84), (186, 148, 110), (y - edge) / (height - edge)) * width)
        handle = half_width(y, height * 0.55, height * 0.13) - half_width(y, height * 0.55, height * 0.08)
        if handle > 0:
            outer = half_width(y, height * 0.55, height * 0.13)
            span(row, width, mug_right + outer - handle, mug_right + outer, b"\x3d\x5c\x7a")
        if mug_top <= y < mug_bottom:
            for step in range(16):
                shade = math.cos((step - 5) / 9)
                span(row, width, mug_left + (mug_right - mug_left) * step / 16,
                     mug_left + (mug_right - mug_left) * (step + 1) / 16,
                     mixed((24, 38, 54), (88, 132, 172), shade))
        shadow = 2.4 * half_width(y, centre + radius, radius * 0.36)
        span(row, width, width * ball_x - shadow, width * ball_x + shadow, mixed(bytes(row[:3]), (0, 0, 0), 0.25))
        ball(row, width, y, width * ball_x, centre, radius, colour)
        yield row


@functools.lru_cache(maxsize=FRAMES)
def frame(number):
    turn = 2 * math.pi * (number % FRAMES) / FRAMES
    return png(WIDTH, HEIGHT, scene(WIDTH, HEIGHT, 0.3 + 0.12 * math.sin(turn), (226, 112, 62)))


@functools.lru_cache(maxsize=64)
def thumbnail(name):
    mixture = zlib.crc32(name.encode())
    colour = tuple(70 + (mixture >> shift) % 160 for shift in (0, 8, 16))
    return png(160, 120, scene(160, 120, 0.32, colour))
