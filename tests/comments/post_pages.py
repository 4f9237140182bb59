"""Threads and pages of questions and answers, in the markup of common forum systems."""

from __future__ import annotations

TEXTS = (
    "My oak drops its leaves in July already, although I water it every evening. What can I do about it?",
    "Is there a white coat on the leaves? Mildew came early this year, and mine looks just the same as yours.",
    "Look at the roots first. A tree that stands in water loses its leaves from the top down, and quickly.",
    "It was the water. I have stopped, the ground is dry, and there are new leaves on the lowest branches.",
)
AUTHORS = ("ann_alder", "Ben Birch", "cy_cedar", "ann_alder")
MENU = '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/forum">Board</a></li></ul>'
FOOTER = '<div id="footer">All times are UTC. <a href="/terms">Terms</a> <a href="/privacy">Privacy</a></div>'


def page(content: str, head: str = "") -> str:
    """A page with menu and footer around the content."""
    return (
        f"<html lang=en><head><title>Oak in July</title>{head}</head><body>{MENU}<h1>Oak in July</h1>{content}{FOOTER}"
    )


def _join(template: str, start: int = 0, separator: str = "") -> str:
    days = range(3 + start, 7)
    return separator.join(
        template.format(
            day=day, author=author, slug=author.lower().replace(" ", "-"), text=text, number=number, year=2001 + number
        )
        for day, author, text, number in zip(days, AUTHORS[start:], TEXTS[start:], range(start + 1, 5), strict=True)
    )


PHPBB = page(
    _join(
        '<div id="p10{number}" class="post has-profile bg{number}"><div class="inner">'
        '<dl class="postprofile"><dt><a href="./memberlist.php?mode=viewprofile&u={slug}" class="username">{author}</a>'
        "</dt><dd><strong>Posts:</strong> 1{number}</dd><dd><strong>Joined:</strong> Tue Jan 0{number}, {year} 9:15 am"
        '</dd></dl><div class="postbody"><h3><a href="#p10{number}">Re: Oak in July</a></h3><p class="author">by '
        '<a href="./memberlist.php?mode=viewprofile&u={slug}" class="username">{author}</a> » Sat May 0{day}, 2014 '
        '7:0{number} pm</p><div class="content">{text}</div><div class="signature">Plant more trees.</div></div>'
        "</div></div>"
    )
)
VBULLETIN = page(
    _join(
        '<table id="post{number}" class="tborder"><tr><td class="thead"><a name="post{number}"></a>05-2{day}-2009, '
        '09:4{number} PM</td><td class="thead">#<a href="showpost.php?p={number}">{number}</a></td></tr><tr>'
        '<td class="alt2"><a class="bigusername" href="member.php?u={slug}">{author}</a><div class="smallfont">Senior '
        'Member</div><div class="smallfont">Join Date: Mar {year}</div></td><td class="alt1"><div id="post_message_1">'
        "{text}</div></td></tr></table>"
    )
)
DISCOURSE = page(
    _join(
        '<div itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post">'
        '<div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope>'
        '<a itemprop="url" href="/u/{slug}"><span itemprop="name">{author}</span></a></span><span class="crawler-post-'
        'infos"><time class="post-time" datetime="2020-05-0{day}T10:22:41Z">May {day}, 2020, 10:22am</time>'
        '<span itemprop="position">{number}</span></span></div><div class="post" itemprop="text"><p>{text}</p></div>'
        "</div>"
    ),
    '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>',
)
XENFORO = page(
    _join(
        '<article class="message message--post" id="js-post-{number}"><div class="message-cell message-cell--user">'
        '<section class="message-user"><h4 class="message-name"><a href="/members/{slug}.{number}/" class="username">'
        '<span class="username--style{number}">{author}</span></a></h4><h5 class="userTitle">Active Member</h5>'
        '</section></div><div class="message-cell"><header class="message-attribution"><a href="/threads/7/post-'
        '{number}"><time class="u-dt" datetime="2021-05-0{day}T08:00:00+0200">May {day}, 2021</time></a><a href="/'
        'threads/7/post-{number}">#{number}</a></header><div class="bbWrapper">{text}<br>I asked <a class="username" '
        'href="/members/dora.9/">Dora</a> about it, and she agrees.</div><div class="message-lastEdit">Last edited: '
        '<time class="u-dt" datetime="2021-06-01T08:00:00+0200">Jun 1, 2021</time></div></div></article>'
    )
)
STACK_EXCHANGE = page(
    '<div itemscope itemtype="https://schema.org/Question"><div class="question"><div class="post-layout">'
    f'<div class="js-vote-count">14</div><div class="s-prose"><p>{TEXTS[0]} {TEXTS[1]} {TEXTS[2]}</p></div>'
    '<div class="post-signature"><div class="user-action-time">edited <span title="2016-08-01 11:18:44Z">Aug 1, 2016 '
    'at 11:18</span></div><div class="user-details"><a href="/users/9/ed">Ed Editor</a></div></div>'
    '<div class="post-signature owner"><div class="user-action-time">asked <span title="2016-05-03 11:18:44Z">May 3, '
    '2016 at 11:18</span></div><div class="user-details" itemprop="author" itemscope><a href="/users/1/ann" '
    'itemprop="url">ann_alder</a><div class="-flair"><span class="badge">6 gold badges</span></div></div></div>'
    '<div class="comments"><ul><li class="comment"><span class="comment-copy">Is it old?</span> – <a href="/users/4" '
    'class="comment-user">dora</a> <span class="comment-date">May 3, 2016 at 11:40</span></li></ul></div></div></div>'
    "<h2>2 Answers</h2>"
    + "".join(
        f'<div class="answer"><div class="post-layout"><div class="js-vote-count">3</div><div class="s-prose">'
        f'<p>{text}</p></div><div class="post-signature"><div class="user-action-time">answered <span '
        f'title="2016-05-0{day} 12:00:00Z">May {day}, 2016 at 12:00</span></div><div class="user-details" '
        f'itemprop="author" itemscope><a href="/users/{day}/x" itemprop="url">{author}</a><div class="-flair">'
        '<span class="badge">2 gold badges</span></div></div></div></div></div>'
        for day, author, text in ((4, "Ben Birch", TEXTS[1]), (5, "cy_cedar", TEXTS[2]))
    )
    + "</div>"
)
HACKER_NEWS = page(
    '<table class="fatitem"><tr class="athing"><td class="title"><a href="item?id=1">Ask: oak in July</a></td></tr><tr>'
    '<td class="subtext">14 points by <a href="user?id=ann_alder" class="hnuser">ann_alder</a> <span class="age" '
    'title="2023-05-03T10:00:00"><a href="item?id=1">3 hours ago</a></span></td></tr><tr><td><div class="toptext">'
    f'{TEXTS[0]}</div></td></tr></table><table class="comment-tree">'
    + _join(
        '<tr class="athing comtr" id="{number}"><td><table><tr><td class="ind"></td><td class="default"><div><span '
        'class="comhead"><a href="user?id={slug}" class="hnuser">{author}</a> <span class="age" title="2023-05-0{day}'
        'T10:00:00"><a href="item?id={number}">2 hours ago</a></span></span></div><div class="comment"><div class="'
        'commtext">{text}</div><div class="reply"><a href="reply?id={number}">reply</a></div></div></td></tr></table>'
        "</td></tr>",
        start=1,
    )
    + "</table>"
)
_REDDIT_HEAD = (
    '<p class="tagline"><a href="/user/{0}" class="author">{1}</a> <span class="score">{2} points</span> '
    '<time datetime="2019-05-0{2}T10:00:00+00:00" class="live-timestamp">{3} hours ago</time></p>'
    '<div class="usertext-body"><p>{4}</p></div><ul class="buttons"><li><a href="/c/{2}">permalink</a></li></ul>'
)


def _nest_replies() -> str:
    html = ""
    for number in (3, 2, 1):
        author = AUTHORS[number]
        head = _REDDIT_HEAD.format(author.replace(" ", "-"), author, 3 + number, 9 - number, TEXTS[number])
        html = f'<div class="thing comment"><div class="entry">{head}</div><div class="child">{html}</div></div>'
    return html


REDDIT = page(
    '<div id="siteTable"><div class="thing link"><div class="entry"><p class="title"><a href="/r/oaks/1">Oak in July'
    '</a></p><p class="tagline">submitted <time datetime="2019-05-03T10:00:00+00:00">9 hours ago</time> by <a href="/'
    f'user/ann_alder" class="author">ann_alder</a></p><div class="usertext-body"><p>{TEXTS[0]}</p></div></div></div>'
    f'</div><div class="commentarea">{_nest_replies()}</div>'
)
TABLE_ROWS = page(
    "<table>"
    + _join(
        '<tr><td class="l">Re: Oak in July by <a href="/{slug}" class="user">{author}</a>: <span>7:0{number}am On May '
        "0{day}, 2018</span></td></tr><tr><td class=w><div>{text}</div></td></tr>"
    )
    + "</table>"
)
EMPTY_TIMES = page(
    _join(
        '<div class="resp"><div class="head"><a href="/user/{slug}">{author}</a> <time datetime="2011-05-0{day}'
        'T09:00:00Z"></time></div><div class="text">{text}</div></div>'
    )
)

THREADS = {
    "phpBB": PHPBB,
    "vBulletin": VBULLETIN,
    "Discourse": DISCOURSE,
    "XenForo": XENFORO,
    "Hacker News": HACKER_NEWS,
    "Reddit": REDDIT,
    "table rows": TABLE_ROWS,
    "times without text": EMPTY_TIMES,
}
DATES = {
    "phpBB": "May 03, 2014 7:01 pm",
    "vBulletin": "05-23-2009, 09:41 PM",
    "Discourse": "May 3, 2020, 10:22am",
    "XenForo": "May 3, 2021",
    "Hacker News": "3 hours ago",
    "Reddit": "9 hours ago",
    "table rows": "7:01am On May 03, 2018",
    "times without text": None,
}
"""The date of the first post of each thread, as the page shows it."""
